import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Session } from "chdb";

export interface Stored {
  /** On disk, in parts that are in use: parts already merged away wait there for a while. */
  readonly bytes: number;
  /** Of them for stacks and frames, which the profiles of a day share. */
  readonly definitionBytes: number;
  readonly payloadBytes: number;
  readonly profiles: number;
}

/** Contents of a stopped server's stores, read with the engine itself. */
export function storedIn(dataDir: string): Stored {
  const folder = join(dataDir, "columns");
  if (!existsSync(folder)) throw new Error(`no column store in ${dataDir}`);
  const session = new Session(folder);
  const number = (sql: string) => Number(session.query(sql, "TSV"));
  const uploads = join(dataDir, "uploads");
  const files = readdirSync(uploads, { recursive: true, encoding: "utf8" });
  const fileBytes = files.reduce((sum, name) => sum + statSync(join(uploads, name)).size, 0);
  const inParts = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'default'";
  const stored = {
    bytes: fileBytes + number(inParts),
    definitionBytes: number(`${inParts} AND table IN ('stacks', 'frames')`),
    payloadBytes: number("SELECT sum(original_bytes) FROM default.profiles"),
    profiles: number("SELECT count() FROM default.profiles"),
  };
  session.close();
  return stored;
}
