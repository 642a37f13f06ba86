import type { organizationSummary, Summary } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { listedRange, rangeOf, sinceMinuteMs, type TimeRange } from "#http/query/time-range.ts";
import { toMetrics } from "./metrics.ts";
import { toTotals } from "./present.ts";

interface Input {
  /** Empty for all services. */
  readonly service: string;
  readonly query: z.output<(typeof organizationSummary)["query"]>;
}

/** Counts and performance of the profiles of an organization, or of one of its services, in a range. */
export async function getSummary(
  ctx: Context,
  { orgId }: Actor,
  { service, query }: Input,
): Promise<{ summary: Summary }> {
  const now = ctx.now();
  const nowMs = now.getTime();
  const range = summedRange(query, now);
  const [from, to] = [range.fromMs / 1000, range.toMs / 1000];
  const day = sinceMinuteMs("24h", nowMs) / 1000;
  const [week, month] = [sinceHourMs("7d", nowMs) / 1000, sinceHourMs("30d", nowMs) / 1000];
  const rows = await ctx.columns.profileTotals({
    orgId,
    service,
    starts: [from, day, week, month, ...(range.toMs > nowMs ? [] : [to])],
    now,
    withFigures: true,
  });
  const ofRange = rows.filter(({ startSeconds }) => startSeconds >= from && startSeconds < to);
  const profilesSince = (start: number) =>
    rows.reduce((sum, row) => (row.startSeconds >= start ? sum + row.profiles : sum), 0);
  const summary = {
    ...toTotals(ofRange, now),
    recent_activity: {
      last_24_hours: profilesSince(day),
      last_7_days: profilesSince(week),
      last_30_days: profilesSince(month),
    },
    generated_at: now.toISOString(),
    performance_metrics: toMetrics(ofRange),
  };
  return { summary };
}

/** A range of more than a day is widened to whole hours: reading a part of an hour costs as much as many whole ones. */
function summedRange(query: Input["query"], now: Date): TimeRange {
  const { fromMs, toMs } = rangeOf(query, now);
  const range = listedRange(query, now);
  if (toMs - fromMs <= dayMs) return range;
  return {
    fromMs: Math.floor(range.fromMs / hourMs) * hourMs,
    toMs: Math.ceil(range.toMs / hourMs) * hourMs,
  };
}

function sinceHourMs(span: string, nowMs: number): number {
  return Math.floor(sinceMinuteMs(span, nowMs) / hourMs) * hourMs;
}
