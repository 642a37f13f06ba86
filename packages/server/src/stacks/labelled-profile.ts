import type { ProfileType } from "@flamekeep/contract";
import {
  defaultSampleType,
  groupStacks,
  type LabelLimits,
  type ProfileStacks,
  type StackTable,
} from "@flamekeep/profile";
import type { LabelFilter } from "#http/query/label-filter.ts";
import { type LabelledStacks, labelledStacks } from "./labelled-stacks.ts";
import { groupName } from "./ranges/label-groups.ts";

/** The page of a profile shows far more labels than the profile's row has. */
const pageLimits: LabelLimits = { keys: 100, values: 10_000, sets: 65_535 };

/** The refusal for a profile whose labels are "unreadable", see `ReadLabels`. */
export const unreadableLabelsText =
  "The labels of this profile cannot be read: there are too many of them, or its values are too large";

/** Undefined if no sample has labels, "unreadable" as in `ReadLabels`. */
export function labelsOfProfile(
  profile: ProfileStacks,
  type: ProfileType,
): LabelledStacks | "unreadable" | undefined {
  return labelledStacks(profile, { sampleType: defaultSampleType(profile, type), limits: pageLimits });
}

export interface LabelSelection {
  readonly labels: LabelFilter;
  /** The label whose values become roots; undefined for none. */
  readonly groupBy: string | undefined;
}

/**
 * The stacks of the samples with the labels, under the values of a label if asked to. Throws RangeError if the labels are
 * unreadable.
 *
 * @param profile was read with its labels
 */
export function selectedStacks(
  profile: ProfileStacks,
  type: ProfileType,
  { labels, groupBy }: LabelSelection,
): StackTable {
  const { stacks } = profile;
  const found = labelsOfProfile(profile, type);
  if (found === "unreadable") throw new RangeError(unreadableLabelsText);
  const empty = new Map<string, string>();
  const sets = [empty, ...(found?.sets ?? [])];
  const passes = sets.map((set) => matchesLabels(set, labels));
  const names = sets.map((set) => (groupBy === undefined ? undefined : groupName(groupBy, set.get(groupBy))));
  const groups = new Map<string | undefined, Float64Array[]>();
  const columnsOf = (set: number) => {
    const name = names[set];
    const columns = groups.get(name) ?? stacks.values.map(() => new Float64Array(stacks.length));
    groups.set(name, columns);
    return columns;
  };
  if (found === undefined) {
    if (passes[0])
      for (const [type, column] of columnsOf(0).entries())
        for (let stack = 0; stack < column.length; stack++)
          column[stack] = Number(stacks.values[type]![stack]);
  } else {
    found.rows.set.forEach((set, row) => {
      if (!passes[set]) return;
      const columns = columnsOf(set);
      found.rows.values.forEach((column, type) => {
        columns[type]![found.rows.stack[row]!]! += column[row]!;
      });
    });
  }
  return groupStacks(
    stacks,
    [...groups].map(([name, values]) => ({ name, values })),
  );
}

export function matchesLabels(
  set: ReadonlyMap<string, string>,
  { labelNames, labelValues }: LabelFilter,
): boolean {
  return labelNames.every((name, index) => {
    const value = labelValues[index]!;
    return value === "" ? !set.has(name) : set.get(name) === value;
  });
}
