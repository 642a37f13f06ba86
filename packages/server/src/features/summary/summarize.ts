import type { Summary } from "@flamekeep/contract";
import type { Context, DemoActor, UserActor } from "#context";
import { sinceMinuteMs } from "#http/time-range.ts";
import { toMetrics, toTotals } from "./present.ts";
import { countsByService, readings } from "./queries.ts";

interface Input {
  /** Empty for all. */
  readonly service: string;
  readonly since: string;
}

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/** What the organization, or one service of it, sent since then, and how it performed. */
export async function summarize(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
  { service, since }: Input,
): Promise<{ summary: Summary }> {
  const now = ctx.now();
  const secondsSince = (span: string) => sinceMinuteMs(span, now.getTime()) / 1000;
  const fromSeconds = secondsSince(since);
  const isShort = secondsSince("0s") - fromSeconds < daySeconds;
  const [counts, measured] = await Promise.all([
    ctx.columns.ask(countsByService, {
      orgId,
      service,
      fromSeconds,
      daySeconds: secondsSince("24h"),
      weekSeconds: toHour(secondsSince("7d")),
      monthSeconds: toHour(secondsSince("30d")),
    }),
    ctx.columns.ask(readings, { orgId, service, fromSeconds: isShort ? fromSeconds : toHour(fromSeconds) }),
  ]);
  const summary = {
    ...toTotals(counts),
    generated_at: now.toISOString(),
    performance_metrics: toMetrics(measured),
  };
  return { summary };
}

/** Part of an hour costs more than many whole ones, and matters less the longer the range. */
function toHour(seconds: number): number {
  return Math.floor(seconds / hourSeconds) * hourSeconds;
}
