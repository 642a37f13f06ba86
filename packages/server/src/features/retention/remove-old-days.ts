import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { utcDayOf } from "#store/column/utc.ts";
import { shorterRetentions } from "./queries.ts";

export interface RemovedDays {
  /** Days that were dropped for all organizations. */
  readonly partitions: number;
  /** Rows of organizations with a shorter retention. */
  readonly rows: number;
}

/**
 * Drops the days that are older than the server's retention, removes older days of organizations with a shorter one,
 * and frees the disk space of removed rows. Today and the retention's whole days before it stay.
 * Ends after the current step once `stopped` is aborted; the next call continues from there.
 */
export async function removeOldDays(ctx: Context, stopped?: AbortSignal): Promise<RemovedDays> {
  const { retentionDays } = ctx.config;
  const firstDay = (days: number) => utcDayOf(ctx.now().getTime() - days * dayMs);
  // Payloads go first: a flame graph is drawn from one without reading its row.
  await ctx.payloads.removeDays(firstDay(retentionDays), undefined, stopped);
  const partitions = await ctx.columns.maintenance.dropDays(firstDay(retentionDays), stopped);
  let rows = 0;
  for (const { id, retentionDays: days } of await shorterRetentions(ctx.rows, retentionDays)) {
    if (stopped?.aborted) break;
    const before = firstDay(days ?? retentionDays);
    await ctx.payloads.removeDays(before, id, stopped);
    const removed = await ctx.columns.maintenance.removeDays(id, before, stopped);
    rows += Object.values(removed).reduce((sum, count) => sum + count, 0);
  }
  await ctx.columns.maintenance.purge(stopped);
  await ctx.payloads.purge(stopped);
  return { partitions, rows };
}
