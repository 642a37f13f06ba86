/**
 * Compares the instances of a service with each other: a canary on a tenth of them hardly moves their mean. Traffic and
 * everything else that all instances share cancels out.
 *
 * ```
 *   rise of an instance = its change from baseline to window - the median change of all instances
 *   a new instance has no baseline: its level - the median level
 * ```
 *
 * The spread of these rises over all instances and over earlier windows is the noise that a rise is held against.
 */
import { alertIncreaseMin } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { cellMs, earlier, learntDays } from "#alerts/detect/series/scales.ts";
import { meanOf, type Series, type Span, toSeries } from "#alerts/detect/series/series.ts";
import { ascending, medianOf, quantile } from "#alerts/detect/series/statistics.ts";
import type { Evaluation, Instance, Observed, Scope } from "#alerts/detect/watched/observed.ts";
import { hasPrecedents, type RiseNow } from "./precedents.ts";

const instanceScales = [
  { windowMs: 30 * minuteMs, baselineMs: 3 * hourMs },
  { windowMs: 2 * hourMs, baselineMs: 4 * hourMs },
];
/** Fewer have no common course to differ from. */
export const instancesMin = 4;
/** An instance is compared from this many profiles on. */
const instanceProfilesMin = 4;
/** The standard deviations of the noise that a rise needs. */
const deviationsMin = 6;
/** Smaller rises are not reported, whatever the noise. */
const logRiseMin = Math.log1p(alertIncreaseMin);
const earlierWindows = 6;
/** Fewer levels do not show how much instances differ by themselves, and a new instance has nothing else to be held against. */
const levelsMin = 8;
/** Few rises show too little noise: a quarter of them are of the same instance, and neighbouring ones share a baseline. */
const fewRises = 12;
/** A rise that began within the window is measured over some of its last parts. */
const tailParts = 6;

export function compareInstances(observed: Observed, atMs: number): Evaluation | undefined {
  const { instances } = observed;
  if (instances.length < instancesMin) return undefined;
  for (const scale of instanceScales) {
    const window = { fromMs: atMs - scale.windowMs, toMs: atMs };
    const baseline = { fromMs: window.fromMs - scale.baselineMs, toMs: window.fromMs };
    const rises = risesOf(instances, window, baseline);
    const noise = noiseBefore(instances, window, baseline);
    if (rises.size < instancesMin || noise === undefined) continue;
    const found = groupsOf(instances, rises).find(({ members, rise }) => {
      const isNew = members.some((each) => beforeOf(instances, each, baseline) === undefined);
      const spread = isNew ? Math.max(noise, levelSpread(instances, members, window)) : noise;
      return rise >= Math.max(logRiseMin, (deviationsMin * spread) / Math.sqrt(members.length));
    });
    if (found === undefined) continue;
    const tail = tailOf(instances, found, [window, baseline]);
    if (passesInEach(observed, found.members, { beganMs: tail.window.fromMs, atMs, size: tail.rise }))
      continue;
    return toEvaluation(observed, { ...found, rise: tail.rise }, [tail.window, baseline]);
  }
  return undefined;
}

/** Whether each of these instances alone rose like this before, and fell again by itself. */
function passesInEach(
  { instances, releasedMs }: Observed,
  members: readonly Instance[],
  rise: RiseNow,
): boolean {
  return members.every((member) => hasPrecedents(overMedian(instances, member, rise.atMs), rise, releasedMs));
}

/** The values of an instance, each over the median of all instances in the same ten minutes. */
function overMedian(instances: readonly Instance[], { values }: Instance, atMs: number): Series {
  const firstMs = Math.max(values.atMs[0] ?? atMs, atMs - learntDays * dayMs);
  const points: [atMs: number, value: number][] = [];
  for (let fromMs = Math.floor(firstMs / cellMs) * cellMs; fromMs < atMs; fromMs += cellMs) {
    const cell = { fromMs, toMs: fromMs + cellMs };
    const { count, logMean } = meanOf(values, cell);
    if (count === 0) continue;
    const all = instances.map((each) => meanOf(each.values, cell)).filter((each) => each.count > 0);
    points.push([fromMs, Math.exp(logMean - medianOf(all.map((each) => each.logMean)))]);
  }
  return toSeries(points);
}

/** The end of the window that is most likely all that is after the change, if nothing was worse before it. */
function tailOf(
  instances: readonly Instance[],
  { members, rise }: Group,
  [window, baseline]: readonly [Span, Span],
): { window: Span; rise: number } {
  const length = window.toMs - window.fromMs;
  let best = { window, rise, gain: 0 };
  for (let parts = tailParts; parts >= 1; parts--) {
    const tail = { fromMs: window.toMs - (parts * length) / tailParts, toMs: window.toMs };
    const rises = risesOf(instances, tail, baseline, 1);
    const profiles = members.reduce((sum, { values }) => sum + meanOf(values, tail).count, 0);
    if (profiles < instanceProfilesMin || !members.every((each) => rises.has(each))) continue;
    const ofTail = Math.max(0, meanRise(members, rises));
    // The likelihood ratio of independent normal values: squared mean times count.
    const gain = ofTail ** 2 * profiles;
    if (gain > best.gain) best = { window: tail, rise: ofTail, gain };
  }
  return best;
}

interface Group {
  readonly members: readonly Instance[];
  readonly version: string | undefined;
  readonly rise: number;
}

/** The instances of each version that is not the most frequent one, and each instance alone. */
function groupsOf(instances: readonly Instance[], rises: ReadonlyMap<Instance, number>): Group[] {
  const compared = instances.filter((each) => rises.has(each));
  const versions = Map.groupBy(compared, ({ version }) => version);
  const mostly = [...versions].toSorted((a, b) => b[1].length - a[1].length)[0]?.[0];
  const groups: Group[] = [];
  for (const [version, members] of versions) {
    if (version === "" || version === mostly) continue;
    groups.push({ members, version, rise: meanRise(members, rises) });
  }
  // Instances that rose by about as much as the one that rose most belong to it.
  const sorted = compared.toSorted((a, b) => rises.get(b)! - rises.get(a)!);
  const top = rises.get(sorted[0]!)!;
  const members = sorted
    .filter((each) => rises.get(each)! >= top * 0.7)
    .slice(0, Math.floor(compared.length / 2));
  const alone = sorted.slice(0, 1);
  groups.push({ members: alone, version: undefined, rise: top });
  return groups.map((group) =>
    group.members === alone ? { ...group, members, rise: meanRise(members, rises) } : group,
  );
}

function meanRise(members: readonly Instance[], rises: ReadonlyMap<Instance, number>): number {
  return members.reduce((sum, each) => sum + rises.get(each)!, 0) / members.length;
}

/** How much more each instance changed than the median one; of new instances how far they are above its level. */
function risesOf(
  instances: readonly Instance[],
  window: Span,
  baseline: Span,
  countMin = instanceProfilesMin,
): Map<Instance, number> {
  const known = withoutIdle(
    instances.flatMap((instance) => {
      const after = meanOf(instance.values, window);
      const before = beforeOf(instances, instance, baseline);
      const change = before === undefined ? undefined : after.logMean - before;
      return after.count < countMin ? [] : [{ instance, level: after.logMean, change }];
    }),
  );
  const usualChange = medianOf(known.flatMap(({ change }) => (change === undefined ? [] : [change])));
  const usualLevel = medianOf(known.map(({ level }) => level));
  return new Map(
    known.map(({ instance, level, change }) => [
      instance,
      change === undefined ? level - usualLevel : change - usualChange,
    ]),
  );
}

/** An instance below this part of the usual level has no traffic. A logarithm. */
const idleBelow = Math.log(0.35);

/** After a switch from blue to green the old instances are idle: compared with them, the new ones would seem to have risen. */
function withoutIdle<T extends { readonly level: number; readonly change: number | undefined }>(
  known: readonly T[],
): readonly T[] {
  const before = known.flatMap(({ level, change }) => (change === undefined ? [] : [level - change]));
  if (before.length === 0) return known;
  const usual = medianOf(before);
  const busy = known.filter(({ level }) => level > usual + idleBelow);
  return busy.length >= known.length / 4 ? busy : known;
}

/** The level of an instance in the baseline, with its earlier version if it has one; undefined if it is new. */
function beforeOf(all: readonly Instance[], { name }: Instance, baseline: Span): number | undefined {
  for (const each of all) {
    if (each.name !== name) continue;
    const { count, logMean } = meanOf(each.values, baseline);
    if (count >= instanceProfilesMin) return logMean;
  }
  return undefined;
}

/** The standard deviation of the levels of the other instances: a new one may be as far from the median by itself. */
function levelSpread(all: readonly Instance[], members: readonly Instance[], window: Span): number {
  const levels = all.flatMap((each) => {
    const { count, logMean } = meanOf(each.values, window);
    return count < instanceProfilesMin || members.includes(each) ? [] : [logMean];
  });
  if (levels.length < levelsMin) return Infinity;
  const mean = levels.reduce((sum, each) => sum + each, 0) / levels.length;
  return Math.sqrt(levels.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (levels.length - 1));
}

/** The robust standard deviation of rises in windows that ended before this one began. */
function noiseBefore(instances: readonly Instance[], window: Span, baseline: Span): number | undefined {
  const lengthMs = window.toMs - window.fromMs;
  const sizes: number[] = [];
  for (let back = 1; back <= earlierWindows; back++) {
    const [then, before] = [window, baseline].map((span) => earlier(span, back * lengthMs)) as [Span, Span];
    for (const rise of risesOf(instances, then, before).values()) sizes.push(Math.abs(rise));
  }
  if (sizes.length < 3 * instancesMin) return undefined;
  sizes.sort(ascending);
  const spread = Math.max(quantile(sizes, 0.5) / 0.6745, quantile(sizes, 0.95) / 1.96);
  return spread * (1 + fewRises / sizes.length);
}

function toEvaluation(
  observed: Observed,
  group: Group,
  [window, baseline]: readonly [Span, Span],
): Evaluation {
  const means = group.members.map(({ values, loweredBy = 1 }) => meanOf(values, window).mean * loweredBy);
  const current = means.reduce((sum, each) => sum + each, 0) / means.length;
  const previous = current / Math.exp(group.rise);
  const instances = group.members.map(({ name }) => name);
  return {
    window,
    baseline,
    factor: 1,
    current,
    previous,
    increase: Math.expm1(group.rise),
    isSupported: current - previous >= observed.riseMin,
    perHour: undefined,
    beganMs: window.fromMs,
    scope: {
      instances,
      version: group.version,
      above: levelAbove(observed.instances, instances, window) ?? group.rise,
    },
  };
}

/** How far these instances are above the median of the others; undefined if either sends nothing. */
export function levelAbove(
  all: readonly Instance[],
  names: readonly string[],
  window: Span,
): number | undefined {
  const [scoped, others]: [number[], number[]] = [[], []];
  for (const { name, values } of all) {
    const { count, logMean } = meanOf(values, window);
    if (count > 0) (names.includes(name) ? scoped : others).push(logMean);
  }
  return scoped.length === 0 || others.length === 0 ? undefined : medianOf(scoped) - medianOf(others);
}

/**
 * Whether the instances of an alert are gone, or have lost more than half of what they were above the others. Profiles from
 * before the rise began would make it look smaller.
 */
export function isScopeOver(
  { instances }: Observed,
  atMs: number,
  { scope, increase, beganMs = -Infinity }: { scope: Scope; increase: number; beganMs?: number | undefined },
): boolean {
  const fromMs = Math.max(beganMs, atMs - hourMs);
  const above = levelAbove(instances, scope.instances, { fromMs, toMs: atMs });
  return above === undefined || above <= scope.above - 0.6 * Math.log1p(increase);
}
