import { dayMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { utcDayOf } from "#store/column/utc.ts";
import { acrossOrganizations } from "#store/row/row-store.ts";

/** How long the numbers of analyses and tokens per day are kept. */
const usageDays = 90;

/**
 * Removes analyses of profiles and ranges that are older than the retention of their organization: their evidence is gone.
 * An analysis in progress loses its row, so that its result is dropped.
 */
export async function removeOldAnalyses({ rows, config, now }: Context): Promise<number> {
  const nowMs = now().getTime();
  const firstDay = (days: number) => `${utcDayOf(nowMs - days * dayMs)}T00:00:00.000Z`;
  const organizations = await rows.selectFrom("organizations").select(["id", "retentionDays"]).execute();
  let removed = 0n;
  for (const { id, retentionDays } of organizations) {
    const days = Math.min(retentionDays ?? config.retentionDays, config.retentionDays);
    const { numDeletedRows } = await rows
      .deleteFrom("analyses")
      .where("orgId", "=", id)
      .where("subjectTo", "<", firstDay(days))
      .executeTakeFirstOrThrow();
    removed += numDeletedRows;
  }
  await acrossOrganizations(rows)
    .deleteFrom("analysisUsage")
    .where("day", "<", utcDayOf(nowMs - usageDays * dayMs))
    .execute();
  return Number(removed);
}
