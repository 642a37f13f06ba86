import { type ProfileType, profileTypeEntry } from "@flamekeep/contract/profile-types";
import type { Profile } from "#model/profile.ts";
import type { StackTable } from "#model/stack-table.ts";
import { type Fraction, nanosecondsPer, type Percent } from "#model/units.ts";
import { type Category, categoryOf } from "#names/categories.ts";
import { type FrameFunctions, frameFunctions } from "#names/frame-functions.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { totalOf, wholeOf } from "#stacks/total-of.ts";
import { callPatternsOf } from "./call-patterns.ts";
import { type Context, contextOf } from "./context-of.ts";
import { functionTotals, percentOf, type TopFunction, topFunctions } from "./function-totals.ts";
import { goroutineStates } from "./goroutine-state.ts";
import { defaultSampleType } from "./profile-type.ts";
import { type RecordedGoroutines, recordedGoroutines } from "./recorded-goroutines.ts";
import { type CountedTotals, sampleCountOf } from "./sample-count.ts";
import { callerOf, isWaitingType } from "./waiting-frames.ts";

export interface Statistics {
  /** Count of the sample type: see `sampleCountOf`. */
  readonly sampleCount: number;
  /** Such as `250ms`, `30.1s`, `5m10s`; `unknown` for snapshots. */
  readonly duration: string;
  readonly profileType: ProfileType;
  /** Counts the stacks that have a value of the sample type. */
  readonly statistics: {
    readonly uniqueFunctions: number;
    /** In frames, inlined ones included. */
    readonly maxStackDepth: number;
    /** Mean over the distinct stacks. */
    readonly avgStackDepth: number;
    /** Distinct lines of code. */
    readonly uniqueLocations: number;
    /** Stacks from root to leaf with at least hotPathShare of the whole each. */
    readonly hotPathCount: number;
  };
  readonly topFunctions: readonly TopFunction[];
  /** Only of goroutine, mutex and block profiles. */
  readonly topWaits: readonly TopWait[] | undefined;
  readonly callPatterns: readonly string[];
  readonly context: Context;
  readonly cpuStats: CpuStats;
}

export interface CpuStats {
  /** CPU time over wall time: 100 is one core. Undefined where the profile does not measure CPU or has no duration. */
  readonly cpuPercent: Percent | undefined;
  /** Undefined where the profile does not measure CPU, such as one that counts samples without a period. */
  readonly cpuTimeNs: number | undefined;
  readonly totalSamples: number;
}

/** Facts that `describeStacks` needs in addition to the stacks. */
export interface StatisticsFacts {
  readonly type: ProfileType;
  /** Index of the sample type that shares and top functions are of. */
  readonly sampleType: number;
  readonly durationNs: number;
  readonly comments: readonly string[];
  readonly mappingFiles: readonly string[];
  /** By stack; undefined where the profile records none, or is no goroutine profile. */
  readonly goroutines?: ReadonlyMap<number, RecordedGoroutines> | undefined;
}

/** A stack is a hot path from this share of the total on. */
export const hotPathShare: Fraction = 0.01;
const topFunctionCount = 5;

/** Statistics of one profile, over its default sample type. `stacks` spares summing them again. */
export function describe(
  profile: Profile,
  type: ProfileType,
  stacks: StackTable = sumStacks(profile),
): Statistics {
  const { mappings, strings } = profile;
  const sampleType = defaultSampleType(profile, type);
  return describeStacks(stacks, {
    type,
    sampleType,
    goroutines: isWaitingType(type) ? recordedGoroutines(profile, sampleType) : undefined,
    durationNs: Number(profile.durationNs),
    comments: profile.comments,
    mappingFiles: Array.from(mappings.file, (index) => strings[index]),
  });
}

/** Statistics of stacks that come from elsewhere, such as a merge over many profiles. */
export function describeStacks(given: StackTable, facts: StatisticsFacts): Statistics {
  const functions = frameFunctions(given.frames);
  const stacks = withShownNames(given, functions);
  const column = stacks.values[facts.sampleType] ?? new Float64Array(stacks.length);
  const weights = Float64Array.from(column, Number);
  const sizes = weights.map(Math.abs);
  const whole = wholeOf(column);
  const sampleCount = sampleCountOf(countedTotalsOf(stacks), facts.sampleType);
  const totals = functionTotals(stacks, weights, functions);
  return {
    sampleCount,
    duration: durationText(facts.durationNs),
    profileType: facts.type,
    statistics: shapeOf(stacks, sizes, whole, totals.ids.length),
    topFunctions: topFunctions(functions, totals, whole, topFunctionCount),
    topWaits: topWaits(stacks, weights, functions, { ...facts, whole, count: topFunctionCount }),
    callPatterns: callPatternsOf(stacks, sizes, functions, facts.type),
    context: contextOf(stacks, facts),
    cpuStats: cpuStatsOf(stacks, facts, sampleCount),
  };
}

function withShownNames(stacks: StackTable, { name, ofFrame }: FrameFunctions): StackTable {
  const functionName = Array.from(ofFrame, (fn) => name[fn]);
  return { ...stacks, frames: { ...stacks.frames, functionName } };
}

function countedTotalsOf({ sampleTypes, values, length }: StackTable): CountedTotals {
  return { sampleTypes, totals: values.map(totalOf), stackCount: length };
}

function shapeOf(
  stacks: StackTable,
  sizes: Float64Array,
  whole: number,
  uniqueFunctions: number,
): Statistics["statistics"] {
  let maxStackDepth = 0;
  let hotPathCount = 0;
  const used = new Uint8Array(stacks.frames.length);
  let stackCount = 0;
  let frameCount = 0;
  for (let i = 0; i < stacks.length; i++) {
    if (sizes[i] === 0) continue;
    const [from, to] = [stacks.start[i], stacks.start[i + 1]];
    stackCount++;
    frameCount += to - from;
    for (let at = from; at < to; at++) used[stacks.frame[at]] = 1;
    maxStackDepth = Math.max(maxStackDepth, to - from);
    if (whole > 0 && sizes[i] >= whole * hotPathShare) hotPathCount++;
  }
  const avgStackDepth = stackCount === 0 ? 0 : rounded(frameCount / stackCount);
  const uniqueLocations = used.reduce((sum, isUsed) => sum + isUsed, 0);
  return { uniqueFunctions, maxStackDepth, avgStackDepth, uniqueLocations, hotPathCount };
}

/** CPU time where a sample type measures it: `cpu` in a unit of time. */
function cpuStatsOf(
  stacks: StackTable,
  { type, durationNs }: StatisticsFacts,
  sampleCount: number,
): CpuStats {
  const index = stacks.sampleTypes.findIndex(
    ({ type, unit }) => type.toLowerCase() === "cpu" && Object.hasOwn(nanosecondsPer, unit),
  );
  if (type !== "cpu" || index < 0)
    return { cpuPercent: undefined, cpuTimeNs: undefined, totalSamples: sampleCount };
  const per = nanosecondsPer[stacks.sampleTypes[index].unit];
  const cpuTimeNs = Number(totalOf(stacks.values[index])) * Number(per);
  const cpuPercent = durationNs > 0 ? rounded((cpuTimeNs / durationNs) * 100) : undefined;
  return { cpuPercent, cpuTimeNs, totalSamples: sampleCount };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** `unknown` unless positive. */
export function durationText(durationNs: number): string {
  if (!(durationNs > 0)) return "unknown";
  const seconds = durationNs / 1e9;
  if (seconds < 1) return `${Number((seconds * 1000).toPrecision(3))}ms`;
  if (seconds < 60) return `${Number(seconds.toFixed(2))}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${whole % 60}s`;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}

/** A function in which goroutines wait, or make others wait, and why. */
interface TopWait {
  /** The first function from the leaf outside of the packages that wait for their callers. */
  readonly name: string;
  readonly file: string;
  /** Line on which it starts, 0 where unknown. */
  readonly line: number;
  readonly category: Category;
  /** State of the goroutines, or the function that was called to wait or to unlock; "" if the function is the leaf. */
  readonly reason: string;
  /** Percent of the whole. */
  readonly percent: number;
  readonly value: number;
}

/** The waits with the largest values; undefined for types whose leaves are the work itself. */
export function topWaits(
  stacks: StackTable,
  weights: Float64Array,
  functions: FrameFunctions,
  {
    type,
    whole,
    count,
    goroutines,
  }: Pick<StatisticsFacts, "type" | "goroutines"> & { readonly whole: number; readonly count: number },
): TopWait[] | undefined {
  if (!isWaitingType(type)) return undefined;
  const stateOf = goroutineStates(stacks, weights, goroutines);
  const waits = new Map<string, TopWait & { value: number }>();
  for (let stack = 0; stack < stacks.length; stack++) {
    if (weights[stack] === 0) continue;
    const { frame, operation } = callerOf(stacks, stack);
    if (frame === undefined) continue;
    const fn = functions.ofFrame[frame];
    const reason = profileTypeEntry(type).kind === "gauge" ? stateOf(stack) : operation;
    const key = `${fn} ${reason}`;
    const wait = waits.get(key);
    if (wait !== undefined) wait.value += weights[stack];
    else {
      const [name, file, line] = [functions.name[fn], functions.file[fn], functions.startLine[fn]];
      const category = categoryOf(name, file);
      waits.set(key, { name, file, line, category, reason, percent: 0, value: weights[stack] });
    }
  }
  return [...waits.values()]
    .sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map((wait) => ({ ...wait, percent: percentOf(wait.value, whole) }));
}
