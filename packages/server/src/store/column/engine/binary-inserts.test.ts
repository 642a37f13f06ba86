import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "chdb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BinaryInserts } from "./binary-inserts.ts";

const target = { table: "t", columns: ["org_id"], format: "RowBinary" };

let folder: string;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  folder = mkdtempSync(join(tmpdir(), "flamekeep-binary-inserts-"));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** The content of the files in the folder. */
function contents(): string[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
}

/** Answers as an engine that sees its files, and notes what they hold when rows are read from them. */
function engine(read: string[]): Session {
  const queryAsync = async (sql: string) => {
    if (sql.startsWith("INSERT")) read.push(...contents());
    const answer = sql.includes("_size") ? "4\n" : '["org_id","UUID"]\n';
    return { text: () => answer };
  };
  return { queryAsync } as unknown as Session;
}

test("each insert reads its own rows from the same file, longer or shorter than those before", async () => {
  const read: string[] = [];
  const session = engine(read);
  const inserts = new BinaryInserts(folder);
  for (const rows of ["the first rows", "short", "rows that are the longest of all"]) {
    await inserts.insert(session, target, {}, Buffer.from(rows));
  }
  expect(read).toEqual(["the first rows", "short", "rows that are the longest of all"]);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("a deleted file is created again", async () => {
  const read: string[] = [];
  const inserts = new BinaryInserts(folder);
  const insert = (rows: string) => inserts.insert(engine(read), target, {}, Buffer.from(rows));
  await insert("rows");
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await insert("more");
  expect(read).toEqual(["rows", "more"]);
});

test("after a failed write, the next insert uses a new file", async () => {
  const read: string[] = [];
  const inserts = new BinaryInserts(folder);
  const insert = (rows: string) => inserts.insert(engine(read), target, {}, Buffer.from(rows));
  await insert("rows");
  rmSync(folder, { recursive: true });
  await expect(insert("more")).rejects.toThrow("ENOENT");
  mkdirSync(folder);
  await insert("more");
  expect(read).toEqual(["rows", "more"]);
});

test("closing removes all inserted rows from the file system", async () => {
  const inserts = new BinaryInserts(folder);
  await inserts.insert(engine([]), target, {}, Buffer.from("rows"));
  inserts.close();
  expect(existsSync(folder)).toBe(false);
});

test("inserted rows are removed from the file after a few seconds", async () => {
  const inserts = new BinaryInserts(folder);
  await inserts.insert(engine([]), target, {}, Buffer.from("rows"));
  expect(contents()).toEqual(["rows"]);
  vi.advanceTimersByTime(5000);
  await vi.waitFor(() => expect(contents()).toEqual([""]));
});
