import { type Summary, spanMs } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import { toMetrics } from "./metrics.ts";
import { toTotals } from "./present.ts";

interface Input {
  /** Empty for all. */
  readonly service: string;
  readonly since: string;
}

const hourSeconds = 3600;

/** What the organization, or one service of it, sent since then, and how it performed. */
export async function summarize(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
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
 * Start of a range that ends now: its minute, for more than a day its hour. Part of an hour costs as much to read
 * as many whole ones, and matters less the longer the range.
 */
function startSeconds(since: string, now: Date): number {
  const seconds = sinceMinuteMs(since, now.getTime()) / 1000;
  const isLong = spanMs(since)! > 24 * hourSeconds * 1000;
  return isLong ? seconds - (seconds % hourSeconds) : seconds;
}
