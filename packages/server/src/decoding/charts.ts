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
  labelTotals,
  mergeStacks,
  type StackTable,
  sumStacks,
  totalOf,
  type ValueType,
} from "@flamekeep/profile";
import { openProfile } from "./open-profile.ts";
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
  readonly labelCount: number;
}

/** Goroutines of a profile, and how many of each the earlier one had. */
export function goroutinesOfProfile(task: {
  readonly payload: Uint8Array;
  readonly previous: Uint8Array | undefined;
}): Goroutines & { readonly previousTotal: number | undefined } {
  const now = countsOf(task.payload, "now");
  if (task.previous === undefined) return { ...goroutinesIn(now, undefined), previousTotal: undefined };
  const before = countsOf(task.previous, "before");
  const both = mergeStacks([now, before]);
  const growth = Float64Array.from(
    { length: both.length },
    (_, stack) => Number(both.values[0]![stack]) - Number(both.values[1]![stack]),
  );
  return { ...goroutinesIn(both, growth), previousTotal: Number(totalOf(before.values[0]!)) };
}

/** The stacks of a goroutine profile with their counts alone, under a name of ours. */
function countsOf(payload: Uint8Array, type: string): StackTable {
  const profile = openProfile(payload);
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
    total: groups.reduce((sum, { count }) => sum + count, 0),
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

export function contentionOfProfile(payload: Uint8Array): Contention {
  return contentionIn(sumStacks(openProfile(payload)));
}

export function contentionOfStacks(stored: StoredStacks): Resolved<Contention> {
  const table = tableOf(stored);
  return table.missing === undefined ? { missing: undefined, value: contentionIn(table.value) } : table;
}

function contentionIn(stacks: StackTable): Contention {
  const column = (name: string) => stacks.sampleTypes.findIndex(({ type }) => type === name);
  const sites = callSites(stacks, column("contentions"), column("delay"));
  return {
    contentions: sites.reduce((sum, site) => sum + site.contentions, 0),
    delay: sites.reduce((sum, site) => sum + site.delay, 0),
    sites: sites.slice(0, limits.chartRowsMax).map(({ frame, longestStack, ...site }) => ({
      ...site,
      frame: frameOf(stacks, frame),
      stack: framesOf(stacks, longestStack),
    })),
    siteCount: sites.length,
  };
}

export function customOfProfile(payload: Uint8Array): CustomValues {
  const profile = openProfile(payload);
  return customIn(sumStacks(profile), labelTotals(profile));
}

/** `payloads` are of some of the profiles the stacks come from: labels are only there, and means are over these. */
export function customOfStacks(task: {
  readonly stored: StoredStacks;
  readonly payloads: readonly Uint8Array[];
}): Resolved<CustomValues> {
  const table = tableOf(task.stored);
  if (table.missing !== undefined) return table;
  const labels = new Map<string, LabelTotal>();
  const columns = task.stored.columns.map((column) => ({
    ...column,
    divisor: column.divisor === 1 ? 1 : task.payloads.length,
  }));
  for (const payload of task.payloads) addLabels(labels, payload, columns);
  return { missing: undefined, value: customIn(table.value, [...labels.values()]) };
}

function addLabels(
  labels: Map<string, LabelTotal>,
  payload: Uint8Array,
  columns: StoredStacks["columns"],
): void {
  const profile = openProfile(payload);
  const columnOf = profile.sampleTypes.map(({ type, unit }) =>
    columns.findIndex(({ sampleType }) => sampleType.type === type && sampleType.unit === unit),
  );
  for (const { key, value, totals } of labelTotals(profile)) {
    const name = JSON.stringify([key, value]);
    const label = labels.get(name) ?? { key, value, totals: columns.map(() => 0) };
    labels.set(name, label);
    totals.forEach((total, type) => {
      const column = columnOf[type]!;
      if (column !== -1) label.totals[column]! += total / columns[column]!.divisor;
    });
  }
}

function customIn(stacks: StackTable, labels: readonly LabelTotal[]): CustomValues {
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
    labelCount: labels.length,
  };
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
