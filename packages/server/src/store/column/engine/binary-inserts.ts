import { randomUUID } from "node:crypto";
import { constants, mkdirSync, rmSync } from "node:fs";
import { open, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "chdb";
import { toStringLiteral } from "./bind.ts";
import type { InsertTarget } from "./statement.ts";

/** One thread: starting a second costs more than a batch is worth. Mapped files would be faulted in page by page. */
const reading = { max_threads: "1", storage_file_read_method: "pread" };

/** Files are emptied after this time without an insert. */
const emptyAfterMs = 5000;

/** Inserts rows in RowBinary. chDB's library accepts only text, so the rows go into a file that the engine reads as a table. */
export class BinaryInserts {
  readonly #folder: string;
  /** Files to write the next rows to. */
  readonly #free: string[] = [];
  /** Names and types of the columns of an insert, by its table and columns. */
  readonly #structures = new Map<string, string>();
  readonly #idle = setTimeout(() => this.#empty(), emptyAfterMs).unref();

  /** Removes files that a killed engine left: their rows were never acknowledged. */
  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async insert(
    session: Session,
    { table, columns = [] }: InsertTarget,
    settings: Readonly<Record<string, string>>,
    rows: Uint8Array,
  ): Promise<void> {
    const names = columns.join(", ");
    const key = `${table} (${names})`;
    const structure = this.#structures.get(key) ?? (await readStructure(session, table, columns));
    this.#structures.set(key, structure);
    const clause = Object.entries({ ...settings, ...reading })
      .map(([name, value]) => `${name} = ${toStringLiteral(value)}`)
      .join(", ");
    const file = this.#free.pop() ?? (await this.#newFile(session));
    await this.#write(file, rows);
    try {
      const source = `file(${[file, "RowBinary", structure].map(toStringLiteral).join(", ")})`;
      await session.queryAsync(`INSERT INTO ${key} SETTINGS ${clause} SELECT * FROM ${source}`);
    } finally {
      this.#free.push(file);
      this.#idle.refresh();
    }
  }

  /** Checks that the engine sees the file: a path that it takes for a pattern matches nothing, and such an insert would succeed. */
  async #newFile(session: Session): Promise<string> {
    const file = join(this.#folder, randomUUID());
    try {
      await writeFile(file, "seen", { mode: 0o600 }).catch(throwExplained);
      const sql = `SELECT _size FROM file(${toStringLiteral(file)}, 'One')`;
      const result = await session.queryAsync(sql, { format: "TSV" });
      if (result.text() !== "4\n") throw new Error(`The column store does not see the file ${file}`);
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
    return file;
  }

  /** Removes a file that cannot be written, because the disk may be full. */
  async #write(file: string, rows: Uint8Array): Promise<void> {
    try {
      await overwrite(file, rows);
    } catch (error) {
      await rm(file, { force: true });
      throwExplained(error as NodeJS.ErrnoException);
    }
  }

  async #empty(): Promise<void> {
    for (const file of this.#free.splice(0)) {
      await truncate(file).catch(() => undefined);
      this.#free.push(file);
    }
  }

  /** Call it when no insert is running. */
  close(): void {
    clearTimeout(this.#idle);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Call it when a table may have changed. */
  forget(): void {
    this.#structures.clear();
  }
}

/** In place, because the pages of the previous rows are in memory: allocating new ones took two thirds of the time. */
async function overwrite(file: string, rows: Uint8Array): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    let at = 0;
    while (at < rows.length) at += (await handle.write(rows, at, rows.length - at, at)).bytesWritten;
    await handle.truncate(rows.length);
  } finally {
    await handle.close();
  }
}

/** In the given order, as table functions expect it. */
async function readStructure(session: Session, table: string, columns: readonly string[]): Promise<string> {
  const sql = `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = ${toStringLiteral(table)}`;
  const result = await session.queryAsync(sql, { format: "JSONCompactEachRow" });
  const rows = result.text().split("\n");
  const types = new Map(rows.filter((row) => row !== "").map((row) => JSON.parse(row) as [string, string]));
  return columns
    .map((column) => {
      const type = types.get(column);
      if (type === undefined)
        throw new Error(`Code: 16. DB::Exception: There is no column ${column} in table ${table}`);
      return `${column} ${type}`;
    })
    .join(", ");
}

/** Reports a full disk as ClickHouse does, so that the client retries. */
function throwExplained(error: NodeJS.ErrnoException): never {
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  throw isFull
    ? new Error(`Code: 243. DB::Exception: ${error.message}. (NOT_ENOUGH_SPACE)`, { cause: error })
    : error;
}
