import { type Summary, spanMs } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import { toMetrics } from "./metrics.ts";
import { toTotals } from "./present.ts";

interface Input {
  /** Empty for all services. */
  readonly service: string;
  readonly since: string;
}

const hourSeconds = 3600;

/** Counts and performance of the profiles of an organization, or of one of its services, since a time. */
export async function getSummary(
  ctx: Context,
  { orgId }: Actor,
  { service, since }: Input,
): Promise<{ summary: Summary }> {
  const now = ctx.now();
  const [from, day, week, month] = [since, "24h", "7d", "30d"].map((span) => startSeconds(span, now)) as [
    number,
    number,
    number,
    number,
  ];
  const rows = await ctx.columns.profileTotals({
    orgId,
    service,
    starts: [from, day, week, month],
    now,
    withFigures: true,
  });
  const ofRange = rows.filter((row) => row.startSeconds >= from);
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

/**
 * Start of a range that ends now, rounded down to a minute, or to an hour if the range is longer than a day: reading a
 * part of an hour costs as much as many whole ones.
 */
function startSeconds(since: string, now: Date): number {
  const seconds = sinceMinuteMs(since, now.getTime()) / 1000;
  const isLong = spanMs(since)! > 24 * hourSeconds * 1000;
  return isLong ? seconds - (seconds % hourSeconds) : seconds;
}
