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
  type RecordedGoroutines,
  recordedGoroutines,
  type StackTable,
  sumStacks,
  totalOf,
  type ValueType,
} from "@flamekeep/profile";
import { type Damage, type Opened, openProfile, tryOpening } from "#stacks/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { recordedStates } from "./recorded-states.ts";

export interface Goroutines {
  readonly total: number;
  /** Whether the profile itself has the states. */
  readonly isRecorded: boolean;
  readonly states: readonly { readonly state: string; readonly count: number }[];
  /** The largest, at most `limits.chartRowsMax`. */
  readonly groups: readonly (Pick<GoroutineGroup, "state" | "count" | "creator" | "waitMinutes"> & {
    readonly growth: number | undefined;
    readonly entry: ChartFrame | undefined;
    readonly at: ChartFrame | undefined;
    readonly stack: readonly ChartFrame[];
  })[];
  readonly groupCount: number;
}

export interface GoroutinesOfProfile extends Goroutines {
  /** Undefined if there is no earlier profile, or it is damaged. */
  readonly previousTotal: number | undefined;
  readonly previousDamage: Damage | undefined;
}

/** The goroutines of a profile, and their growth since the earlier one. */
export function goroutinesOfProfile(task: {
  readonly original: Original;
  readonly previous: Original | undefined;
}): Opened<GoroutinesOfProfile> {
  return tryOpening(() => {
    const profile = openProfile(task.original);
    const recorded = recordedGoroutines(profile, defaultSampleType(profile, "goroutine"));
    return compareGoroutines(countsOf(profile, "now"), recorded, task.previous);
  });
}

function compareGoroutines(
  now: StackTable,
  recorded: ReadonlyMap<number, RecordedGoroutines> | undefined,
  previous: Original | undefined,
): GoroutinesOfProfile {
  const earlier = previous && tryOpening(() => countsOf(openProfile(previous), "before"));
  if (earlier?.value === undefined) {
    const goroutines = goroutinesIn(now, undefined, recorded);
    return { ...goroutines, previousTotal: undefined, previousDamage: earlier?.damage };
  }
  const before = earlier.value;
  // Stacks of the first table keep their numbers, which `recorded` is by.
  const both = mergeStacks([now, before]);
  const growth = Float64Array.from(
    { length: both.length },
    (_, stack) => Number(both.values[0]![stack]) - Number(both.values[1]![stack]),
  );
  const previousTotal = Number(totalOf(before.values[0]!));
  return { ...goroutinesIn(both, growth, recorded), previousTotal, previousDamage: undefined };
}

/** The stacks of a goroutine profile with their counts only, under the given sample type. */
function countsOf(profile: Profile, type: string): StackTable {
  const stacks = sumStacks(profile);
  const column = stacks.values[defaultSampleType(profile, "goroutine")] ?? new Float64Array(stacks.length);
  return { ...stacks, sampleTypes: [{ type, unit: "count" }], values: [column] };
}

export interface GoroutinesOfStacks extends Goroutines {
  /** Profiles whose states could not be read. */
  readonly damages: readonly Damage[];
}

/**
 * The first column has the counts; the second, if there is one, their growth. `originals` are the payloads of profiles that record states.
 */
export function goroutinesOfStacks(task: {
  readonly stored: StoredStacks;
  readonly originals: readonly Original[];
}): Resolved<GoroutinesOfStacks> {
  const table = tableOf(task.stored);
  if (table.missing !== undefined) return table;
  const growth = table.value.values[1] as Float64Array | undefined;
  const { recorded, damages } = recordedStates(table.value, task.originals);
  return { missing: undefined, value: { ...goroutinesIn(table.value, growth, recorded), damages } };
}

function goroutinesIn(
  stacks: StackTable,
  growth: Float64Array | undefined,
  recorded?: ReadonlyMap<number, RecordedGoroutines>,
): Goroutines {
  const groups = goroutineGroups(stacks, 0, recorded);
  const states = new Map<string, number>();
  for (const group of groups)
    for (const [state, count] of group.states) states.set(state, (states.get(state) ?? 0) + count);
  return {
    total: totalIn(stacks, 0),
    isRecorded: recorded !== undefined,
    states: [...states].map(([state, count]) => ({ state, count })).sort((a, b) => b.count - a.count),
    groups: groups
      .slice(0, limits.chartRowsMax)
      .map(({ stack, state, count, creator, waitMinutes, entry, at }) => ({
        state,
        count,
        creator,
        waitMinutes,
        growth: growth?.[stack],
        entry: frameOf(stacks, entry),
        at: frameOf(stacks, at),
        stack: framesOf(stacks, stack),
      })),
    groupCount: groups.length,
  };
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

export function contentionOfProfile(original: Original): Opened<Contention> {
  return tryOpening(() => contentionIn(sumStacks(openProfile(original))));
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
  /** An upper bound for a range in which a profile has more labels than are summed. */
  readonly labelCount: number;
}

export function customOfProfile(original: Original): Opened<CustomValues> {
  return tryOpening(() => {
    const profile = openProfile(original);
    return customIn(sumStacks(profile), labelTotals(profile));
  });
}

export interface CustomOfStacks extends CustomValues {
  /** Number of profiles whose labels are included. */
  readonly labelProfiles: number;
  /** Profiles whose labels could not be read. */
  readonly damages: readonly Damage[];
}

/** Labels are only in `originals`, the payloads of some of the profiles: means of labels are over these profiles. */
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
    tryOpening(() => {
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

/** Returns the number of labels that are left out because the profile has too many. */
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

/** A frame as charts show it. */
export interface ChartFrame {
  readonly functionName: string;
  readonly file: string;
  /** 0 if unknown. */
  readonly line: number;
}

/** The sum of a column; 0 if there is no such column. */
export function totalIn({ values }: StackTable, column: number): number {
  return Number(totalOf(values[column] ?? new Float64Array()));
}

export function framesOf(stacks: StackTable, stack: number): ChartFrame[] {
  const from = stacks.start[stack]!;
  const to = Math.min(stacks.start[stack + 1]!, from + limits.chartFramesMax);
  return Array.from(stacks.frame.subarray(from, to), (frame) => frameOf(stacks, frame)!);
}

export function frameOf({ frames }: StackTable, frame: number | undefined): ChartFrame | undefined {
  if (frame === undefined) return undefined;
  return { functionName: frames.functionName[frame]!, file: frames.file[frame]!, line: frames.line[frame]! };
}
