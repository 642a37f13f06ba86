import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";
import { calm, cpu, four, quiet, type Row } from "./row.ts";
import {
  lognormal,
  type Noise,
  noiseOf,
  pareto,
  spiking,
  type Traffic,
  wandering,
  weekly,
} from "./signals.ts";
import type { Faults, Story } from "./story.ts";

const noisy = (name: string, noise: Noise, everyMs = minuteMs) =>
  quiet(name, 0.5, () => ({ everyMs, signals: [{ ...cpu, noise }] }));

const restless = (sd: number) =>
  quiet(`wander within the hour, ${100 * sd}%`, 1, () => ({ signals: [{ ...cpu, wander: sd }] }));

const driven = (name: string, traffic: Traffic) => quiet(name, 1, () => ({ signals: four(calm), traffic }));

/** Clock skew, instances that differ, restarts, silence and harmless releases, in weekly traffic without counts. */
function troubled(random: Random): Partial<Story> {
  const at = () => random.between(dayMs, 29 * dayMs);
  const faults: Faults = {
    spread: 0.3,
    skewMs: 2 * minuteMs,
    silent: [0, 1].map(at).map((fromMs) => ({ fromMs, toMs: fromMs + random.between(0.5, 12) * hourMs })),
    restarts: Array.from({ length: 12 }, () => ({ instance: Math.floor(random.between(0, 4)), atMs: at() })),
  };
  const releases = Array.from({ length: 8 }, (_, index) => ({ version: `${index + 2}`, atMs: at() }));
  return {
    faults,
    instances: 4,
    everyMs: 5 * minuteMs,
    signals: four(noiseOf(0.2)),
    traffic: weekly,
    hasVersions: true,
    releases: releases.sort((a, b) => a.atMs - b.atMs),
  };
}

/** A cache that is empty after each restart: values rise to their usual level, and no further. */
const warmUp = (everyHours: number): Row =>
  quiet(`a cache warms up after restarts, every ${everyHours} h`, 0.5, (random) => {
    const share = random.between(0.3, 0.6);
    const tauMs = random.between(0.3, 1.5) * hourMs;
    const firstMs = random.between(0, 20) * dayMs;
    const restarts: number[] = [];
    for (let ms = firstMs; ms < 30 * dayMs; ms += random.between(0.8, 1.2) * everyHours * hourMs)
      restarts.push(ms);
    const factor = (ms: number) => {
      const last = restarts.findLast((each) => each <= ms) ?? -Infinity;
      return 1 - share * Math.exp((last - ms) / tauMs);
    };
    return {
      signals: four(noiseOf(0.05))
        .filter(({ name }) => name === "memory")
        .map((each) => ({ ...each, wander: 0.02 })),
      traffic: weekly,
      harmless: [{ signal: "memory", atMs: 0, untilMs: Infinity, factor }],
    };
  });

export const quietRows: readonly Row[] = [
  ...[0.2, 0.25, 0.35, 0.5].map((cv) => noisy(`steady, noise of ${100 * cv}%`, noiseOf(cv))),
  noisy("steady, Pareto 2.5", pareto(2.5)),
  noisy("steady, Pareto 2.5, every 10 min", pareto(2.5), 10 * minuteMs),
  noisy("steady, lognormal 0.35, every 10 min", lognormal(0.35), 10 * minuteMs),
  ...[0.03, 0.05, 0.08, 0.1, 0.15].map(restless),
  ...[0.1, 0.15].map((sd) =>
    driven(`traffic wanders ${100 * sd}% and drives four types, not counted`, wandering(sd)),
  ),
  driven("spikes to 2x on 30% of the days, not counted", spiking),
  driven("weekly traffic, not counted", weekly),
  quiet("weekly traffic, restarts, silence, clock skew, releases", 1, troubled),
  ...[6, 12, 24].map(warmUp),
];
