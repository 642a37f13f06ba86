import { type ExpressionBuilder, PostgresAdapter, type RawBuilder, sql } from "kysely";
import { changesRow, type Database, type RowStore } from "./row-store.ts";

export interface Lease {
  readonly name: string;
  /** One per process. */
  readonly holder: string;
  readonly lastsMs: number;
}

/**
 * A time of the clock with which leases are compared: PostgreSQL's, because the clocks of processes differ. A SQLite file belongs to one
 * machine, whose clock is `now`.
 */
function timeAt(rows: RowStore, now: Date, afterMs: number): RawBuilder<string> {
  if (!(rows.getExecutor().adapter instanceof PostgresAdapter))
    return sql<string>`${new Date(now.getTime() + afterMs).toISOString()}`;
  return sql<string>`to_char((clock_timestamp() + ${afterMs} * interval '1 millisecond') AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * Takes or renews the lease until `lastsMs` from now; false while another process holds it. The lease of a process that
 * died ends after that time, even if its clock was ahead.
 */
export async function takeLease(rows: RowStore, lease: Lease, now: Date): Promise<boolean> {
  return (await takeTerm(rows, lease, now)) !== undefined;
}

/** As `takeLease`; returns the term, which is higher for each next holder. */
export async function takeTerm(
  rows: RowStore,
  { name, holder, lastsMs }: Lease,
  now: Date,
): Promise<number | undefined> {
  const expiresAt = timeAt(rows, now, lastsMs);
  const insertion = rows
    .insertInto("jobLeases")
    .values({ name, holder, expiresAt, term: 1 })
    .onConflict((conflict) => conflict.column("name").doNothing());
  if (await changesRow(insertion)) return 1;
  const isFree = (eb: ExpressionBuilder<Database, "jobLeases">) =>
    eb.or([
      eb("holder", "=", holder),
      eb("expiresAt", "<=", timeAt(rows, now, 0)),
      eb("expiresAt", ">", timeAt(rows, now, 2 * lastsMs)),
    ]);
  const taken = await rows
    .updateTable("jobLeases")
    .set((eb) => ({
      holder,
      expiresAt,
      term: eb
        .case()
        .when("holder", "=", holder)
        .then(eb.ref("term"))
        .else(eb("term", "+", 1))
        .end(),
    }))
    .where("name", "=", name)
    .where(isFree)
    .returning("term")
    .executeTakeFirst();
  return taken?.term;
}

const expired = "";

/** Ends the lease, so that the next process does not wait for its expiry. The row stays, because it counts the terms. */
export async function releaseLease(rows: RowStore, { name, holder }: Lease): Promise<void> {
  await rows
    .updateTable("jobLeases")
    .set({ expiresAt: expired, holder: "" })
    .where("name", "=", name)
    .where("holder", "=", holder)
    .execute();
}
