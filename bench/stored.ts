import { existsSync } from "node:fs";
import { join } from "node:path";
import { Session } from "chdb";

export interface Stored {
  /** On disk, in parts that are in use: parts already merged away wait there for a while. */
  readonly bytes: number;
  readonly payloadBytes: number;
  readonly profiles: number;
}

/** What a stopped server's column store holds, asked of the engine itself. */
export function storedIn(dataDir: string): Stored {
  const folder = join(dataDir, "columns");
  if (!existsSync(folder)) throw new Error(`no column store in ${dataDir}`);
  const session = new Session(folder);
  const number = (sql: string) => Number(session.query(sql, "TSV"));
  const stored = {
    bytes: number("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'default'"),
    payloadBytes: number("SELECT sum(length(payload)) FROM default.payloads"),
    profiles: number("SELECT count() FROM default.profiles"),
  };
  session.close();
  return stored;
}
