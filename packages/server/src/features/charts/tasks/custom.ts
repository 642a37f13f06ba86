import { limits } from "@flamekeep/contract";
import {
  callerOf,
  type LabelTotal,
  type LabelTotals,
  labelTotals,
  type Profile,
  type StackTable,
  sumStacks,
  totalOf,
  type ValueType,
} from "@flamekeep/profile";
import { type Damage, type Opened, openProfile, tryOpening } from "#decoding/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#decoding/ranges/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { type ChartFrame, frameOf, framesOf } from "./frames.ts";

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
