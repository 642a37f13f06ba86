import { readdirSync, readFileSync } from "node:fs";

export interface SqlFile {
  readonly number: number;
  /** Its number and title, such as `0004-removals`. */
  readonly name: string;
  readonly sql: string;
}

/** Migrations of a folder that are plain SQL, in the order of their numbers. */
export function readSqlFiles(folder: URL): SqlFile[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(0, -".sql".length),
      sql: readFileSync(new URL(file, folder), "utf8"),
    }));
}

/** A statement ends with a semicolon at the end of a line; comments before it belong to it. */
export function toStatements(text: string): string[] {
  return text.split(/;\s*(?:\n|$)/).filter((statement) => statement.replace(/--.*$/gm, "").trim().length > 0);
}
