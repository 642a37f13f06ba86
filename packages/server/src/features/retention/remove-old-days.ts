import type { Context } from "#context";
import { shorterRetentions } from "./queries.ts";

export interface RemovedDays {
  /** Of whole days, all organizations. */
  readonly partitions: number;
  /** Of organizations that keep less. */
  readonly rows: number;
}

const dayMs = 86_400_000;

/**
 * Drops the days nobody keeps any more, removes the days that single organizations do not keep, and takes the
 * bytes of removed rows off the disk. Today and the retention's whole days before it stay.
 */
export async function removeOldDays(ctx: Context): Promise<RemovedDays> {
  const { retentionDays } = ctx.config;
  const firstDay = (days: number) => new Date(ctx.now().getTime() - days * dayMs).toISOString().slice(0, 10);
  const partitions = await ctx.columns.dropDays(firstDay(retentionDays));
  await ctx.payloads.removeDays(firstDay(retentionDays));
  let rows = 0;
  for (const { id, retentionDays: days } of await shorterRetentions(ctx.rows, retentionDays)) {
    const before = firstDay(days ?? retentionDays);
    const removed = await ctx.columns.removeDays(id, before);
    await ctx.payloads.removeDays(before, id);
    rows += Object.values(removed).reduce((sum, count) => sum + count, 0);
  }
  await ctx.columns.purge();
  await ctx.payloads.purge();
  return { partitions, rows };
}
