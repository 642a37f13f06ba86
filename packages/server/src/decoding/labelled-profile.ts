import {
  defaultSampleType,
  groupStacks,
  type ProfileStacks,
  type ProfileType,
  type StackTable,
} from "@flamekeep/profile";
import type { LabelFilter } from "#http/query/label-filter.ts";
import { groupName } from "./label-groups.ts";
import { type LabelledStacks, labelledStacks } from "./labelled-stacks.ts";

/** A single profile is read from its bytes: far more labels are told apart than in its row. */
const limits = { keys: 100, values: 10_000, sets: 65_535 };

/** Labels of a profile whose samples' labels cannot be told apart. */
export const unclearLabelsText =
  "The labels of this profile cannot be told apart: they are too many, or its values are too large";

interface Read {
  readonly raw: Uint8Array;
  /** As read, with all sample types. */
  readonly read: ProfileStacks;
  readonly profile: ProfileStacks;
  readonly type: ProfileType;
}

/** Undefined if no sample has labels, "unclear" if they cannot be told apart. */
export function labelsOfProfile({ raw, read, profile, type }: Read): LabelledStacks | "unclear" | undefined {
  const sampleType = defaultSampleType(profile, type);
  return labelledStacks(raw, { read, profile, sampleType, limits });
}

export interface LabelSelection {
  readonly labels: LabelFilter;
  /** The label whose values become roots; undefined for none. */
  readonly groupBy: string | undefined;
}

/**
 * The stacks of the samples with the labels, under the values of a label if asked to. Throws RangeError if the labels cannot be
 * told apart.
 */
export function selectedStacks(opened: Read, { labels, groupBy }: LabelSelection): StackTable {
  const { stacks } = opened.profile;
  const found = labelsOfProfile(opened);
  if (found === "unclear") throw new RangeError(unclearLabelsText);
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
