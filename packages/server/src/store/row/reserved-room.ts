import { type RawBuilder, sql } from "kysely";
import { isDiskFull } from "#store/disk-space.ts";
import type { RowStore, RowStoreConfig } from "./schema.ts";

/** More pages than the log has when it is copied into the file and starts over (`wal_autocheckpoint`, 1000 pages of 4 KB). */
const reservedBytes = 4_500_000;

/**
 * Tops up free pages in a SQLite file, and its log to the same size, so that people can sign in, register and make keys when
 * the disk is full: SQLite writes both in place. Ordinary growth uses the pages up, and VACUUM removes them.
 */
export async function reserveRoom(rows: RowStore, { kind }: Pick<RowStoreConfig, "kind">): Promise<void> {
  if (kind !== "sqlite" || (await freeBytesOf(rows)) >= reservedBytes) return;
  await makeRoom(rows);
}

/** Reserves the room even if enough pages are free, because the log may have been truncated. */
export async function makeRoom(rows: RowStore): Promise<void> {
  try {
    // In one transaction: another process that starts may drop the table between the two statements.
    await rows.transaction().execute(async (transaction) => {
      await sql`CREATE TABLE IF NOT EXISTS reserved_room (bytes BLOB)`.execute(transaction);
      await sql`INSERT INTO reserved_room VALUES (zeroblob(${sql.lit(reservedBytes)}))`.execute(transaction);
    });
  } catch (error) {
    // A full disk is reported by the writes that need it.
    if (!isDiskFull(error)) throw error;
  }
  try {
    // In a separate transaction: pages that are freed in the one that allocates them are never written.
    await sql`DROP TABLE IF EXISTS reserved_room`.execute(rows);
    await sql`PRAGMA wal_checkpoint(RESTART)`.execute(rows);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

async function freeBytesOf(rows: RowStore): Promise<number> {
  const pages = await numberOf(rows, sql`PRAGMA freelist_count`);
  return pages * (await numberOf(rows, sql`PRAGMA page_size`));
}

async function numberOf(rows: RowStore, pragma: RawBuilder<unknown>): Promise<number> {
  const [row] = (await pragma.execute(rows)).rows;
  return Number(Object.values(row as object)[0]);
}
