import type { InputOf, organizationSummary, Summary } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { listedRange, sinceMinuteMs } from "#http/query/time-range.ts";
import type { TotalsRow } from "#store/column/column-store.ts";
import { toMetrics } from "./metrics.ts";
import { toTotals } from "./present.ts";

type Input = InputOf<typeof organizationSummary> & {
  /** Empty for all services. */
  readonly service?: string;
};

/** Counts and performance of the profiles of an organization, or of one of its services, in a range. */
export async function getSummary(
  ctx: Context,
  { orgId }: Actor,
  { service = "", ...query }: Input,
): Promise<{ summary: Summary }> {
  const now = ctx.now();
  const nowMs = now.getTime();
  const range = listedRange(query, now);
  const [from, to] = [range.fromMs / 1000, range.toMs / 1000];
  const startOf = (span: string) => sinceMinuteMs(span, nowMs) / 1000;
  const [day, week, month] = [startOf("24h"), startOf("7d"), startOf("30d")];
  const rows = await ctx.columns.profileTotals({
    orgId,
    service,
    starts: [from, day, week, month, ...(range.toMs > nowMs ? [] : [to])],
    now,
    withFigures: true,
  });
  const ofRange = rows.filter(({ startSeconds }) => startSeconds >= from && startSeconds < to);
  const metrics = rows.filter(({ type }) => type === "metrics");
  const recentCounts = (counted: readonly TotalsRow[]) => {
    const since = (start: number) =>
      counted.reduce((sum, row) => (row.startSeconds >= start ? sum + row.profiles : sum), 0);
    return { last_24_hours: since(day), last_7_days: since(week), last_30_days: since(month) };
  };
  const summary = {
    ...toTotals(ofRange, now),
    recent_activity: recentCounts(rows),
    recent_metric_batches: recentCounts(metrics),
    generated_at: now.toISOString(),
    performance_metrics: toMetrics(ofRange),
  };
  return { summary };
}
