/** What the charts of goroutine, mutex, block and custom profiles show, of one profile or of stored stacks. */
import { limits } from "@flamekeep/contract";
import {
  type CallSite,
  callerOf,
  callSites,
  defaultSampleType,
  type GoroutineGroup,
  goroutineGroups,
  type LabelTotal,
  type LabelTotals,
  labelTotals,
  mergeStacks,
  type Profile,
  type StackTable,
  sumStacks,
  totalOf,
  type ValueType,
} from "@flamekeep/profile";
import type { Original } from "#store/payloads/read-payload.ts";
import { type Damage, type Opened, openProfile, whereOpened } from "./open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "./stored-stacks.ts";

export interface ChartFrame {
  readonly functionName: string;
  readonly file: string;
  /** 0 where unknown. */
  readonly line: number;
}

export interface Goroutines {
  readonly total: number;
  readonly states: readonly { readonly state: string; readonly count: number }[];
  /** The largest, at most `limits.chartRowsMax`. */
  readonly groups: readonly (Pick<GoroutineGroup, "state" | "count" | "creator"> & {
    readonly growth: number | undefined;
    readonly entry: ChartFrame | undefined;
    readonly at: ChartFrame | undefined;
    readonly stack: readonly ChartFrame[];
  })[];
  readonly groupCount: number;
}

export interface Contention {
  readonly contentions: number;
  readonly delay: number;
  readonly sites: readonly (Omit<CallSite, "frame" | "longestStack"> & {
    readonly frame: ChartFrame | undefined;
    readonly stack: readonly ChartFrame[];
  })[];
  readonly siteCount: number;
}

export interface CustomValues {
  readonly sampleTypes: readonly ValueType[];
  readonly totals: readonly number[];
  readonly stacks: readonly {
    readonly values: readonly number[];
    readonly at: ChartFrame | undefined;
    readonly stack: readonly ChartFrame[];
  }[];
  readonly stackCount: number;
  readonly labels: readonly LabelTotal[];
  /** Of a range the most there can be, where one of its profiles has more than are added up. */
  readonly labelCount: number;
}

export interface GoroutinesOfProfile extends Goroutines {
  /** Undefined where there is none to compare with, or it is damaged. */
  readonly previousTotal: number | undefined;
  readonly previousDamage: Damage | undefined;
}

/** Goroutines of a profile, and how many of each the earlier one had. */
export function goroutinesOfProfile(task: {
  readonly original: Original;
  readonly previous: Original | undefined;
}): Opened<GoroutinesOfProfile> {
  return whereOpened(() => compareGoroutines(countsOf(task.original, "now"), task.previous));
}

function compareGoroutines(now: StackTable, previous: Original | undefined): GoroutinesOfProfile {
  const earlier = previous && whereOpened(() => countsOf(previous, "before"));
  if (earlier?.value === undefined) {
    return { ...goroutinesIn(now, undefined), previousTotal: undefined, previousDamage: earlier?.damage };
  }
  const before = earlier.value;
  const both = mergeStacks([now, before]);
  const growth = Float64Array.from(
    { length: both.length },
    (_, stack) => Number(both.values[0]![stack]) - Number(both.values[1]![stack]),
  );
  const previousTotal = Number(totalOf(before.values[0]!));
  return { ...goroutinesIn(both, growth), previousTotal, previousDamage: undefined };
}

/** The stacks of a goroutine profile with their counts alone, under a name of ours. */
function countsOf(original: Original, type: string): StackTable {
  const profile = openProfile(original);
  const stacks = sumStacks(profile);
  const column = stacks.values[defaultSampleType(profile, "goroutine")] ?? new Float64Array(stacks.length);
  return { ...stacks, sampleTypes: [{ type, unit: "count" }], values: [column] };
}

/** The first column holds the counts; the second, where there is one, how they grew. */
export function goroutinesOfStacks(stored: StoredStacks): Resolved<Goroutines> {
  const table = tableOf(stored);
  if (table.missing !== undefined) return table;
  const growth = table.value.values[1] as Float64Array | undefined;
  return { missing: undefined, value: goroutinesIn(table.value, growth) };
}

function goroutinesIn(stacks: StackTable, growth: Float64Array | undefined): Goroutines {
  const groups = goroutineGroups(stacks, 0);
  const states = new Map<string, number>();
  for (const { state, count } of groups) states.set(state, (states.get(state) ?? 0) + count);
  return {
    total: totalIn(stacks, 0),
    states: [...states].map(([state, count]) => ({ state, count })).sort((a, b) => b.count - a.count),
    groups: groups.slice(0, limits.chartRowsMax).map(({ stack, state, count, creator, entry, at }) => ({
      state,
      count,
      creator,
      growth: growth?.[stack],
      entry: frameOf(stacks, entry),
      at: frameOf(stacks, at),
      stack: framesOf(stacks, stack),
    })),
    groupCount: groups.length,
  };
}

export function contentionOfProfile(original: Original): Opened<Contention> {
  return whereOpened(() => contentionIn(sumStacks(openProfile(original))));
}

export function contentionOfStacks(stored: StoredStacks): Resolved<Contention> {
  const table = tableOf(stored);
  return table.missing === undefined ? { missing: undefined, value: contentionIn(table.value) } : table;
}

function contentionIn(stacks: StackTable): Contention {
  const column = (name: string) => stacks.sampleTypes.findIndex(({ type }) => type === name);
  const sites = callSites(stacks, column("contentions"), column("delay"));
  return {
    contentions: totalIn(stacks, column("contentions")),
    delay: totalIn(stacks, column("delay")),
    sites: sites.slice(0, limits.chartRowsMax).map(({ frame, longestStack, ...site }) => ({
      ...site,
      frame: frameOf(stacks, frame),
      stack: framesOf(stacks, longestStack),
    })),
    siteCount: sites.length,
  };
}

export function customOfProfile(original: Original): Opened<CustomValues> {
  return whereOpened(() => {
    const profile = openProfile(original);
    return customIn(sumStacks(profile), labelTotals(profile));
  });
}

export interface CustomOfStacks extends CustomValues {
  /** Of how many profiles the labels are. */
  readonly labelProfiles: number;
  /** Of those whose labels could not be read. */
  readonly damages: readonly Damage[];
}

/** `originals` are of some of the profiles the stacks come from: labels are only there, and means are over these. */
export function customOfStacks(task: {
  readonly stored: StoredStacks;
  readonly originals: readonly Original[];
}): Resolved<CustomOfStacks> {
  const table = tableOf(task.stored);
  if (table.missing !== undefined) return table;
  const { columns } = task.stored;
  const sums = new Map<string, LabelTotal>();
  let leftOut = 0;
  const opened = task.originals.map((original) =>
    whereOpened(() => {
      leftOut += addLabels(sums, openProfile(original), columns);
    }),
  );
  const damages = opened.flatMap(({ damage }) => damage ?? []);
  const labelProfiles = opened.length - damages.length;
  const labels = [...sums.values()].map((label) => ({
    ...label,
    totals: label.totals.map((total, i) => (columns[i]!.divisor === 1 ? total : total / labelProfiles)),
  }));
  return {
    missing: undefined,
    value: { ...customIn(table.value, { labels, count: labels.length + leftOut }), labelProfiles, damages },
  };
}

/** Returns how many labels of the profile are left out, because it has so many. */
function addLabels(
  labels: Map<string, LabelTotal>,
  profile: Profile,
  columns: StoredStacks["columns"],
): number {
  const columnOf = profile.sampleTypes.map(({ type, unit }) =>
    columns.findIndex(({ sampleType }) => sampleType.type === type && sampleType.unit === unit),
  );
  const found = labelTotals(profile);
  for (const { key, value, totals } of found.labels) {
    const name = JSON.stringify([key, value]);
    const label = labels.get(name) ?? { key, value, totals: columns.map(() => 0) };
    labels.set(name, label);
    totals.forEach((total, type) => {
      const column = columnOf[type]!;
      if (column !== -1) label.totals[column]! += total;
    });
  }
  return found.count - found.labels.length;
}

function customIn(stacks: StackTable, { labels, count }: LabelTotals): CustomValues {
  const main = stacks.sampleTypes.length - 1;
  const order = Array.from({ length: stacks.length }, (_, stack) => stack).sort(
    (a, b) => Number(stacks.values[main]?.[b]) - Number(stacks.values[main]?.[a]),
  );
  return {
    sampleTypes: stacks.sampleTypes,
    totals: stacks.values.map((column) => Number(totalOf(column))),
    stacks: order.slice(0, limits.chartRowsMax).map((stack) => ({
      values: stacks.values.map((column) => Number(column[stack])),
      at: frameOf(stacks, callerOf(stacks, stack).frame),
      stack: framesOf(stacks, stack),
    })),
    stackCount: stacks.length,
    labels: [...labels]
      .sort((a, b) => (b.totals[main] ?? 0) - (a.totals[main] ?? 0))
      .slice(0, limits.chartRowsMax),
    labelCount: count,
  };
}

/** 0 where there is no such column. */
function totalIn({ values }: StackTable, column: number): number {
  return Number(totalOf(values[column] ?? new Float64Array()));
}

function framesOf(stacks: StackTable, stack: number): ChartFrame[] {
  const from = stacks.start[stack]!;
  const to = Math.min(stacks.start[stack + 1]!, from + limits.chartFramesMax);
  return Array.from(stacks.frame.subarray(from, to), (frame) => frameOf(stacks, frame)!);
}

function frameOf({ frames }: StackTable, frame: number | undefined): ChartFrame | undefined {
  if (frame === undefined) return undefined;
  return { functionName: frames.functionName[frame]!, file: frames.file[frame]!, line: frames.line[frame]! };
}
