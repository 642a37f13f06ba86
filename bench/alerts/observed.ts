import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { NoiseCache } from "@flamekeep/server/alerts/detect/noise/noise-cache.ts";
import { emptySeries, type Series, toSeries } from "@flamekeep/server/alerts/detect/series/series.ts";
import type { Observed } from "@flamekeep/server/alerts/detect/watched/observed.ts";
import type { Random } from "#random";
import { type Kind, kinds, type ServicePlan } from "./service-plan.ts";

/** Slow wandering of a service around its usual course: half of it is gone after about twenty minutes. */
const wander = { sd: 0.03, kept: 0.967 };
const dayLevelSd = 0.03;
/** People come and go over the morning, not at midnight. */
const weekend = { share: 0.7, turnMs: 8 * hourMs };

/** Requests a minute of every minute of the days. */
export function trafficOf(plan: ServicePlan, random: Random, days: number): Float64Array {
  const minutes = new Float64Array((days * dayMs) / minuteMs);
  let drift = 0;
  let level = 1;
  for (let minute = 0; minute < minutes.length; minute++) {
    const ms = minute * minuteMs;
    if (ms % dayMs === 0) level = 1 + dayLevelSd * random.normal();
    drift = wander.kept * drift + wander.sd * Math.sqrt(1 - wander.kept ** 2) * random.normal();
    const wave = 1 + plan.amplitude * Math.cos((2 * Math.PI * (ms - plan.peakMs)) / dayMs);
    const doubled = plan.doublings.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs) ? 2 : 1;
    minutes[minute] = 600 * level * weekdayShare(ms) * wave * doubled * (1 + drift);
  }
  return minutes;
}

function weekdayShare(ms: number): number {
  const ofDay = (at: number) => (Math.floor(at / dayMs) % 7 >= 5 ? weekend.share : 1);
  const turned = Math.min(1, (ms % dayMs) / weekend.turnMs);
  return ofDay(ms + 6 * dayMs) * (1 - turned) + ofDay(ms) * turned;
}

/** A service as the server sees it: the profiles of each type, and its requests where they are counted. */
export function observe(
  plan: ServicePlan,
  traffic: Float64Array,
  random: Random,
): readonly { readonly kind: Kind; readonly observed: Observed }[] {
  const requests = requestsOf(plan, traffic);
  const all = kinds.map((kind) => ({ kind, values: valuesOf(plan, kind, traffic, random) }));
  return all.map(({ kind, values }) => ({
    kind,
    observed: {
      values,
      requests,
      siblings: all.flatMap((other) => (other.kind === kind ? [] : [other.values])),
      isGauge: kind.name === "memory" || kind.name === "goroutine",
      riseMin: 0,
      releasedMs: [],
      noise: new NoiseCache(),
      instances: [],
    },
  }));
}

function valuesOf(plan: ServicePlan, kind: Kind, traffic: Float64Array, random: Random): Series {
  const points: [number, number][] = [];
  const deploys = plan.deploys.filter((deploy) => deploy.kind === kind.name);
  let drift = 0;
  for (let minute = 0; minute < traffic.length; minute++) {
    const ms = minute * minuteMs;
    drift = wander.kept * drift + wander.sd * Math.sqrt(1 - wander.kept ** 2) * random.normal();
    if (ms % plan.everyMs !== 0 || isMissing(plan, ms)) continue;
    const released = deploys.find(({ atMs, untilMs }) => ms >= atMs && ms < untilMs)?.change ?? 0;
    const use = 1 - kind.followsTraffic + (kind.followsTraffic * traffic[minute]!) / 600;
    points.push([ms, use * (1 + released) * (1 + drift) * Math.exp(kind.noise * random.normal())]);
  }
  return toSeries(points);
}

function requestsOf(plan: ServicePlan, traffic: Float64Array) {
  if (!plan.hasHttpMetrics) return emptySeries;
  const points = Array.from(traffic, (requests, minute): [number, number] => [minute * minuteMs, requests]);
  return toSeries(points.filter(([ms]) => !isMissing(plan, ms)));
}

function isMissing({ gaps }: ServicePlan, ms: number): boolean {
  return gaps.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}
