import { changesRow, type RowStore } from "./row-store.ts";

export interface Lease {
  readonly name: string;
  /** One per process. */
  readonly holder: string;
  readonly lastsMs: number;
}

/**
 * Takes or renews the lease until `lastsMs` from now; false while another process holds it. The lease of a process that
 * died ends after that time, even if its clock was ahead.
 */
export async function takeLease(
  rows: RowStore,
  { name, holder, lastsMs }: Lease,
  now: Date,
): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + lastsMs).toISOString();
  const insertion = rows
    .insertInto("jobLeases")
    .values({ name, holder, expiresAt })
    .onConflict((conflict) => conflict.column("name").doNothing());
  if (await changesRow(insertion)) return true;
  const longest = new Date(now.getTime() + 2 * lastsMs).toISOString();
  return changesRow(
    rows
      .updateTable("jobLeases")
      .set({ holder, expiresAt })
      .where("name", "=", name)
      .where((eb) =>
        eb.or([
          eb("holder", "=", holder),
          eb("expiresAt", "<=", now.toISOString()),
          eb("expiresAt", ">", longest),
        ]),
      ),
  );
}

/** Ends the lease, so that the next process does not wait for its expiry. */
export async function releaseLease(rows: RowStore, { name, holder }: Lease): Promise<void> {
  await rows.deleteFrom("jobLeases").where("name", "=", name).where("holder", "=", holder).execute();
}
