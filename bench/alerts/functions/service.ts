/** A simulated service by hour: how many samples each of its functions has. */
import type { Random } from "#random";

export interface FunctionStory {
  readonly days: number;
  /** At the mean load, over all instances. */
  readonly samplesPerHour: number;
  /** The load of an hour, about 1. */
  readonly load: (hour: number) => number;
  /** The standard deviation, in logarithms, of a function's own work from hour to hour; up to twice that for some. */
  readonly noise: number;
  /** The factor by which a function works more in an hour. */
  readonly habit?: (index: number, hour: number) => number;
  readonly doubling?: Doubling;
}

interface Doubling {
  readonly atHour: number;
  /** The part of the service before. */
  readonly share: number;
  readonly factor: number;
}

export interface FunctionHoursOfService {
  /** Samples of each hour. */
  readonly totals: Float64Array;
  readonly level: Float64Array;
  /** By function: samples in itself, and with all that it calls. */
  readonly self: readonly Float64Array[];
  readonly total: readonly Float64Array[];
  /** The function that doubles, with its callers: reports of these are true. */
  readonly risen: ReadonlySet<number>;
}

const functions = 200;
const keptPerHour = 0.6;
/** The mean of the series, per sample of an hour: its value is of one instance, and free of the sampling here. */
const loadNoise = 0.03;

export function simulateService(story: FunctionStory, random: Random): FunctionHoursOfService {
  const hours = story.days * 24;
  const parents = Array.from({ length: functions }, (_, index) => Math.floor(random.between(0, index)));
  const weights = Array.from({ length: functions }, (_, index) =>
    index === 0 ? 0 : 1 / (1 + random.between(0, 200)),
  );
  const sum = weights.reduce((all, each) => all + each, 0);
  const isLeaf = (index: number) => !parents.includes(index, index + 1);
  const culprit = story.doubling === undefined ? -1 : parents.findLastIndex((_, index) => isLeaf(index));
  const shares = weights.map((weight) => weight / sum);
  if (story.doubling !== undefined) shares[culprit] = story.doubling.share;
  const sd = weights.map(() => story.noise * (random.isTrue(0.1) ? 2 : random.between(0.3, 1)));
  if (story.doubling !== undefined) sd[culprit] = story.noise;
  const drift = sd.map((each) => each * random.normal());
  const totals = new Float64Array(hours);
  const level = new Float64Array(hours);
  const self = weights.map(() => new Float64Array(hours));
  const total = weights.map(() => new Float64Array(hours));
  const work = new Float64Array(functions);
  for (let hour = 0; hour < hours; hour++) {
    for (let index = 0; index < functions; index++) {
      drift[index] =
        keptPerHour * drift[index]! + sd[index]! * Math.sqrt(1 - keptPerHour ** 2) * random.normal();
      work[index] = shares[index]! * Math.exp(drift[index]!) * (story.habit?.(index, hour) ?? 1);
    }
    if (story.doubling !== undefined) settle(work, culprit, story.doubling, hour);
    const load = story.load(hour) * Math.exp(loadNoise * random.normal());
    for (let index = functions - 1; index >= 0; index--) {
      const samples = poisson(story.samplesPerHour * load * work[index]!, random);
      self[index]![hour] = samples;
      totals[hour]! += samples;
      for (let at = index; ; at = parents[at]!) {
        total[at]![hour]! += samples;
        if (at === 0) break;
      }
    }
    level[hour] = load * work.reduce((all, each) => all + each, 0);
  }
  return { totals, level, self, total, risen: pathOf(culprit, parents) };
}

/** The rest does as much less as the function does more, so that the whole stays constant. */
function settle(work: Float64Array, culprit: number, { atHour, factor }: Doubling, hour: number): void {
  if (hour < atHour) return;
  const whole = work.reduce((all, each) => all + each, 0);
  const before = work[culprit]!;
  const rest = (whole - before * factor) / (whole - before);
  for (let index = 0; index < work.length; index++) work[index]! *= index === culprit ? factor : rest;
}

function pathOf(index: number, parents: readonly number[]): ReadonlySet<number> {
  const path = new Set<number>();
  for (let at = index; at > 0; at = parents[at]!) path.add(at);
  return path;
}

/** Above 50 samples the normal distribution is close enough. */
function poisson(mean: number, random: Random): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.between(0, 1); product > limit; product *= random.between(0, 1)) count++;
  return count;
}
