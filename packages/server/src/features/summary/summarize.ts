import { type Summary, spanMs } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import { sinceMinuteMs } from "#http/time-range.ts";
import { toMetrics, toTotals } from "./present.ts";
import { countsByService, recentProfiles } from "./queries.ts";
import { readingsSinceHour, readingsSinceMinute } from "./reading-queries.ts";

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
  const range = { orgId, service, fromSeconds: startSeconds(since, now) };
  const readings = range.fromSeconds % hourSeconds === 0 ? readingsSinceHour : readingsSinceMinute;
  const [counts, [recent], measured] = await Promise.all([
    ctx.columns.ask(countsByService, range),
    ctx.columns.ask(recentProfiles, {
      orgId,
      service,
      daySeconds: startSeconds("24h", now),
      weekSeconds: startSeconds("7d", now),
      monthSeconds: startSeconds("30d", now),
    }),
    ctx.columns.ask(readings, range),
  ]);
  const summary = {
    ...toTotals(counts),
    recent_activity: {
      last_24_hours: recent!.lastDay,
      last_7_days: recent!.lastWeek,
      last_30_days: recent!.lastMonth,
    },
    generated_at: now.toISOString(),
    performance_metrics: toMetrics(measured),
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
