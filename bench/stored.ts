import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Session } from "chdb";

export interface Stored {
  /** On disk, in parts that are in use: parts already merged away wait there for a while. */
  readonly bytes: number;
  readonly payloadBytes: number;
  readonly profiles: number;
}

/** Contents of a stopped server's stores, read with the engine itself and with SQLite. */
export function storedIn(dataDir: string): Stored {
  const folder = join(dataDir, "columns");
  if (!existsSync(folder)) throw new Error(`no column store in ${dataDir}`);
  const session = new Session(folder);
  const number = (sql: string) => Number(session.query(sql, "TSV"));
  const { files, payloads } = payloadsIn(join(dataDir, "payloads"));
  const stored = {
    bytes:
      files + number("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'default'"),
    payloadBytes: payloads,
    profiles: number("SELECT count() FROM default.profiles"),
  };
  session.close();
  return stored;
}

/** Size of the payload files, and of the payloads in them. */
function payloadsIn(folder: string): { files: number; payloads: number } {
  const sizes = { files: 0, payloads: 0 };
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".sqlite"))) {
    const path = join(folder, name);
    sizes.files += statSync(path).size;
    const database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare("SELECT sum(length(bytes)) AS bytes FROM payloads").get();
    sizes.payloads += Number(row?.bytes ?? 0);
    database.close();
  }
  return sizes;
}
