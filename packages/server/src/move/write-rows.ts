import { randomUUID } from "node:crypto";
import type { ColumnStore, SeriesHour } from "#store/column/column-store.ts";
import { hourOf } from "#store/column/utc.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { batchesOf, type ColumnTable, type Piece, profilesOf, type Row } from "./column-rows.ts";

/** Far below the limit of a request to the engine (256 MiB). */
const insertBytesMax = 16_000_000;
const columnName = /^[a-z][a-z0-9_]*$/;
/** Columns of the time that rows are rolled up by. */
const clocks = { profiles: "started_at", http_requests: "at" } as const;

/**
 * Writes an organization's rows into a store whose views roll them up, as they do for uploads. Rows that the store has are left out, so
 * that an interrupted copy goes on where it was.
 */
export class RowWriter {
  readonly #columns: ColumnStore;
  readonly #orgId: string;
  readonly #stored = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #hours = new Map<string, SeriesHour>();
  #leftOut = 0;

  constructor(columns: ColumnStore, orgId: string) {
    this.#columns = columns;
    this.#orgId = orgId;
  }

  /** Resolves with the number of rows that are new. */
  async write({ table, day, rows }: Piece): Promise<number> {
    const isStored = await this.#storedOf(table, day);
    const missing = rows.filter((row) => !isStored.has(String(row["profile_id"])));
    this.#leftOut += rows.length - missing.length;
    if (table === "profiles" || table === "http_requests") this.#note(rows, clocks[table]);
    if (missing.length > 0) await this.#insert(table, missing);
    return missing.length;
  }

  /**
   * Counts the roll-ups again if an earlier copy may have been interrupted between rows and roll-ups. Nothing else may write rows of the
   * organization meanwhile.
   */
  async finish(): Promise<void> {
    if (this.#leftOut > 0) await this.#columns.maintenance.recount([...this.#hours.values()]);
  }

  async #insert(table: ColumnTable, rows: readonly Row[]): Promise<void> {
    const columns = [...new Set([...Object.keys(rows[0]!), "org_id"])];
    const unknown = columns.find((name) => !columnName.test(name));
    if (unknown !== undefined) throw new StoreRefused(`${JSON.stringify(unknown)} is no column of ${table}.`);
    // The rows become those of this organization, whatever organization they name.
    const lineOf = (row: Row) =>
      JSON.stringify(columns.map((name) => (name === "org_id" ? this.#orgId : row[name])));
    for (const batch of batches(rows, lineOf)) {
      const lines = { columns, rows: batch.lines.join("\n"), dedupToken: randomUUID() };
      await (table === "profiles" || table === "http_requests"
        ? this.#columns.insert({ ...lines, table, hours: this.#hoursOf(batch.rows, clocks[table]) })
        : this.#columns.insert({ ...lines, table }));
    }
  }

  /** Read once for a day, before the first row of it is written. A request is known by its batch: those of one day are stored together. */
  #storedOf(table: ColumnTable, day: string): Promise<ReadonlySet<string>> {
    const key = `${table} ${day}`;
    const known = this.#stored.get(key) ?? this.#readStored(table, day);
    this.#stored.set(key, known);
    return known;
  }

  async #readStored(table: ColumnTable, day: string): Promise<ReadonlySet<string>> {
    if (table === "frames" || table === "stacks") return new Set();
    const read = table === "profiles" ? profilesOf : batchesOf;
    return new Set((await read(this.#columns.direct, this.#orgId, day)).map(({ profileId }) => profileId));
  }

  #note(rows: readonly Row[], clock: string): void {
    for (const hour of this.#hoursOf(rows, clock))
      this.#hours.set(`${hour.service} ${hour.hourSeconds}`, hour);
  }

  #hoursOf(rows: readonly Row[], clock: string): readonly SeriesHour[] {
    const hours = rows.map((row) => {
      const ms = Date.parse(`${String(row[clock]).replace(" ", "T")}Z`);
      return {
        orgId: this.#orgId,
        service: String(row["service"]),
        hourSeconds: hourOf(Math.floor(ms / 1000)),
      };
    });
    return [...new Map(hours.map((each) => [`${each.service} ${each.hourSeconds}`, each])).values()];
  }
}

interface Batch {
  readonly rows: Row[];
  readonly lines: string[];
}

/** Rows of the same batch of HTTP metrics stay in one insert, so that a kill leaves all or none of them. */
function* batches(rows: readonly Row[], lineOf: (row: Row) => string): Generator<Batch> {
  let batch: Batch = { rows: [], lines: [] };
  let bytes = 0;
  for (const row of rows) {
    const line = lineOf(row);
    const { profile_id: id } = row;
    const continues = id !== undefined && batch.rows.at(-1)?.["profile_id"] === id;
    if (bytes > 0 && bytes + line.length > insertBytesMax && !continues) {
      yield batch;
      batch = { rows: [], lines: [] };
      bytes = 0;
    }
    batch.rows.push(row);
    batch.lines.push(line);
    bytes += line.length;
  }
  if (batch.rows.length > 0) yield batch;
}
