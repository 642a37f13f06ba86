import { limits } from "@flamekeep/contract";
import {
  defaultSampleType,
  type GoroutineGroup,
  goroutineGroups,
  mergeStacks,
  type StackTable,
  sumStacks,
  totalOf,
} from "@flamekeep/profile";
import { type Damage, type Opened, openProfile, tryOpening } from "#decoding/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#decoding/ranges/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { type ChartFrame, frameOf, framesOf, totalIn } from "./frames.ts";

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
  return tryOpening(() => compareGoroutines(countsOf(task.original, "now"), task.previous));
}

function compareGoroutines(now: StackTable, previous: Original | undefined): GoroutinesOfProfile {
  const earlier = previous && tryOpening(() => countsOf(previous, "before"));
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

/** The stacks of a goroutine profile with their counts only, under the given sample type. */
function countsOf(original: Original, type: string): StackTable {
  const profile = openProfile(original);
  const stacks = sumStacks(profile);
  const column = stacks.values[defaultSampleType(profile, "goroutine")] ?? new Float64Array(stacks.length);
  return { ...stacks, sampleTypes: [{ type, unit: "count" }], values: [column] };
}

/** The first column has the counts; the second, if there is one, their growth. */
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
