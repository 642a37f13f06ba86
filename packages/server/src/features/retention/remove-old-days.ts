import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { shorterRetentions } from "./queries.ts";

export interface RemovedDays {
  /** Of whole days, all organizations. */
  readonly partitions: number;
  /** Of organizations that keep less. */
  readonly rows: number;
}

/**
 * Drops the days nobody keeps any more, removes the days that single organizations do not keep, and takes the
 * bytes of removed rows off the disk. Today and the retention's whole days before it stay.
 * Once `stopped` is aborted it ends after the step it is at; the next call goes on from there.
 */
export async function removeOldDays(ctx: Context, stopped?: AbortSignal): Promise<RemovedDays> {
  const { retentionDays } = ctx.config;
  const firstDay = (days: number) => new Date(ctx.now().getTime() - days * dayMs).toISOString().slice(0, 10);
  // Bytes first: they are drawn without asking for the row.
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
