import { defaultSampleType, foldedValue, totalOf, type ValueType } from "@flamekeep/profile";
import type { LabelFilter } from "#http/query/label-filter.ts";
import { labelsOfProfile, matchesLabels } from "#stacks/labelled-profile.ts";
import { type Opened, openLabelledStacks, tryOpening } from "#stacks/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type-named.ts";

interface LabelsTask extends Original {
  /** As a caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
  readonly labels: LabelFilter;
}

interface KeyTotals {
  readonly key: string;
  readonly total: number;
  /** Largest first. */
  readonly values: readonly { readonly value: string; readonly total: number }[];
  readonly folded: number | null;
}

interface LabelsOfProfile {
  readonly sampleType: ValueType;
  readonly total: number;
  /** Largest first. */
  readonly keys: readonly KeyTotals[];
}

/** The totals of the labels of a profile. Runs in the decoding thread. */
export function labelsIn(task: LabelsTask): Opened<LabelsOfProfile | "unreadable"> {
  return tryOpening(() => {
    const { profile } = openLabelledStacks(task);
    const index =
      task.sampleType === undefined
        ? defaultSampleType(profile, task.type)
        : sampleTypeNamed(profile.sampleTypes, task.sampleType);
    const sampleType = profile.sampleTypes[index] ?? { type: "", unit: "" };
    const found = labelsOfProfile(profile, task.type);
    if (found === "unreadable") return found;
    const empty = new Map<string, string>();
    if (found === undefined) {
      const column = profile.stacks.values[index];
      const passes = column !== undefined && matchesLabels(empty, task.labels);
      return { sampleType, total: passes ? Number(totalOf(column)) : 0, keys: [] };
    }
    const totals = new Float64Array(found.sets.length + 1);
    const column = found.rows.values[index]!;
    found.rows.set.forEach((set, row) => {
      totals[set]! += column[row]!;
    });
    const sets = [empty, ...found.sets].map((set, number) => ({ set, total: totals[number]! }));
    const passing = sets.filter(({ set }) => matchesLabels(set, task.labels));
    const total = passing.reduce((sum, each) => sum + each.total, 0);
    return { sampleType, total, keys: keysOf(passing) };
  });
}

function keysOf(
  sets: readonly { readonly set: ReadonlyMap<string, string>; readonly total: number }[],
): KeyTotals[] {
  const keys = new Map<string, Map<string, number>>();
  for (const { set, total } of sets)
    for (const [key, value] of set) {
      const values = keys.get(key) ?? new Map<string, number>();
      keys.set(key, values.set(value, (values.get(value) ?? 0) + total));
    }
  return [...keys]
    .map(([key, values]) => ({
      key,
      total: [...values.values()].reduce((sum, value) => sum + value, 0),
      folded: values.get(foldedValue) ?? null,
      values: [...values]
        .filter(([value]) => value !== foldedValue)
        .map(([value, total]) => ({ value, total }))
        .sort((a, b) => b.total - a.total || (a.value < b.value ? -1 : 1)),
    }))
    .sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
}
