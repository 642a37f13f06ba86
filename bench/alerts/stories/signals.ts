import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";

/** A factor for one profile; the mean or the median over many is about 1. */
export type Noise = (random: Random) => number;

/** Lognormal with this coefficient of variation. */
export function noiseOf(variation: number): Noise {
  const sigma = Math.sqrt(Math.log(1 + variation ** 2));
  return (random) => Math.exp(sigma * random.normal() - sigma ** 2 / 2);
}

export const lognormal =
  (sigma: number): Noise =>
  (random) =>
    Math.exp(sigma * random.normal());

/** Most profiles are near the smallest value, a few many times larger: finite variance, no third moment. */
export const pareto =
  (alpha: number): Noise =>
  (random) =>
    ((alpha - 1) / alpha) * (1 - random.between(0, 1)) ** (-1 / alpha);

/** Half of a deviation is gone after twenty minutes. */
const keptPerMinute = 0.967;

/** One plus a first-order autoregression of this standard deviation, minute by minute. */
export function wander(random: Random, minutes: number, sd: number): Float64Array {
  const values = new Float64Array(minutes).fill(1);
  if (sd === 0) return values;
  const step = sd * Math.sqrt(1 - keptPerMinute ** 2);
  let drift = sd * random.normal();
  for (let minute = 0; minute < minutes; minute++) {
    drift = keptPerMinute * drift + step * random.normal();
    values[minute] = Math.max(0.05, 1 + drift);
  }
  return values;
}

export type Traffic = (random: Random, minutes: number) => Float64Array;

export const steady: Traffic = (_, minutes) => new Float64Array(minutes).fill(1);

export const wandering =
  (sd: number): Traffic =>
  (random, minutes) =>
    wander(random, minutes, sd);

/** Twice the traffic for 90 minutes at a random time of 30% of the days. */
export const spiking: Traffic = (random, minutes) => {
  const values = wander(random, minutes, 0.03);
  for (let day = 0; day < (minutes * minuteMs) / dayMs; day++) {
    const hasSpike = random.isTrue(0.3);
    const from = Math.floor((day * dayMs + random.between(0, dayMs - 1.5 * hourMs)) / minuteMs);
    if (hasSpike) for (let minute = from; minute < from + 90; minute++) values[minute]! *= 2;
  }
  return values;
};

/** A wave by day, weekends of 60%, days that differ by 3%, and a wander of 3%. */
export const weekly: Traffic = (random, minutes) => {
  const values = wander(random, minutes, 0.03);
  const peak = random.between(0, dayMs);
  const amplitude = random.between(0.2, 0.5);
  const firstDay = Math.floor(random.between(0, 7));
  let level = 1;
  for (let minute = 0; minute < minutes; minute++) {
    const ms = minute * minuteMs;
    if (ms % dayMs === 0) level = 1 + 0.03 * random.normal();
    const wave = 1 + amplitude * Math.cos((2 * Math.PI * (ms - peak)) / dayMs);
    values[minute]! *= level * wave * weekdayShare(ms + firstDay * dayMs);
  }
  return values;
};

/** People come and go over the morning, not at midnight. */
function weekdayShare(ms: number): number {
  const ofDay = (at: number) => (Math.floor(at / dayMs) % 7 >= 5 ? 0.6 : 1);
  const turned = Math.min(1, (ms % dayMs) / (8 * hourMs));
  return ofDay(ms + 6 * dayMs) * (1 - turned) + ofDay(ms) * turned;
}

/** A steep wave by day that comes so much later from a moment on, as when summer time ends. */
export const shifted =
  (fromMs: number, byMs: number): Traffic =>
  (random, minutes) => {
    const values = wander(random, minutes, 0.03);
    const peak = random.between(0, dayMs);
    const amplitude = random.between(0.4, 0.6);
    for (let minute = 0; minute < minutes; minute++) {
      const ms = minute * minuteMs - (minute * minuteMs < fromMs ? 0 : byMs);
      values[minute]! *= 1 + amplitude * Math.cos((2 * Math.PI * (ms - peak)) / dayMs);
    }
    return values;
  };

/** Weekly traffic with twelve load tests of 20 to 60 minutes, at three to eight times the usual traffic. */
export const tested: Traffic = (random, minutes) => {
  const values = weekly(random, minutes);
  for (let test = 0; test < 12; test++) {
    const from = Math.floor(random.between(1, minutes / 1440 - 1) * 1440);
    const factor = random.between(3, 8);
    const length = random.between(20, 60);
    for (let minute = from; minute < from + length; minute++) values[minute]! *= factor;
  }
  return values;
};
