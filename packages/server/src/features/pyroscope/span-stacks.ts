import { mergeStacks, type StackTable } from "@flamekeep/profile";
import { labelsOfProfile, unreadableLabelsText } from "#stacks/labelled-profile.ts";
import type { LabelledStacks } from "#stacks/labelled-stacks.ts";
import { openLabelledStacks } from "#stacks/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type-named.ts";

export interface TracedProfiles {
  readonly originals: readonly Original[];
  /** As `type/unit`. */
  readonly sampleType: string;
  /** Labels of samples that may name a span. */
  readonly spanLabels: readonly string[];
}

export interface SpanSelection extends TracedProfiles {
  readonly spans: readonly string[];
}

/** The stacks of the samples of these spans, in one column. Must be called within `tryOpening`. */
export function spanStacks({ spans, spanLabels, ...traced }: SpanSelection): StackTable {
  const wanted = new Set(spans);
  const sampleTypes = [toValueType(traced.sampleType)];
  let sum: StackTable = { ...noStacks, sampleTypes };
  for (const original of traced.originals) {
    const labelled = openLabelled(original, traced.sampleType);
    if (labelled === undefined) continue;
    const { stacks, sets, rows, column } = labelled;
    const passes = [false, ...sets.map((set) => spanLabels.some((name) => wanted.has(set.get(name) ?? "")))];
    const values = new Float64Array(stacks.length);
    rows.set.forEach((set, row) => {
      if (passes[set] === true) values[rows.stack[row]!]! += column[row]!;
    });
    // Copies what it takes: the next profile overwrites the stacks of this one.
    if (values.some((value) => value !== 0))
      sum = mergeStacks([sum, { ...stacks, sampleTypes, values: [values] }]);
  }
  return sum;
}

export interface SpanSums {
  readonly spans: readonly string[];
  /** Parallel to `spans`. */
  readonly sums: readonly number[];
}

/** For each profile the sums of its spans that are not 0. Must be called within `tryOpening`. */
export function spanSums({ originals, sampleType, spanLabels }: TracedProfiles): SpanSums[] {
  return originals.map((original) => {
    const labelled = openLabelled(original, sampleType);
    if (labelled === undefined) return { spans: [], sums: [] };
    const { sets, rows, column } = labelled;
    const spans = [undefined, ...sets.map((set) => spanLabels.map((name) => set.get(name)).find(Boolean))];
    const sums = new Map<string, number>();
    rows.set.forEach((set, row) => {
      const span = spans[set];
      if (span !== undefined) sums.set(span, (sums.get(span) ?? 0) + column[row]!);
    });
    const some = [...sums].filter(([, sum]) => sum !== 0);
    return { spans: some.map(([span]) => span), sums: some.map(([, sum]) => sum) };
  });
}

interface Labelled extends Pick<LabelledStacks, "rows" | "sets"> {
  readonly stacks: StackTable;
  /** The values of the sample type, by row. */
  readonly column: LabelledStacks["rows"]["values"][number];
}

/** Undefined if no sample has labels, or the profile has no such sample type. Valid until the next call. */
function openLabelled(original: Original, sampleType: string): Labelled | undefined {
  const { profile } = openLabelledStacks(original);
  const index = sampleTypeNamed(profile.sampleTypes, sampleType);
  const found = index === -1 ? undefined : labelsOfProfile(profile, original.type);
  if (found === "unreadable") throw new RangeError(unreadableLabelsText);
  return found && { ...found, stacks: profile.stacks, column: found.rows.values[index]! };
}

const noStacks = {
  length: 0,
  frames: {
    length: 0,
    functionName: [],
    file: [],
    line: new Int32Array(0),
    startLine: new Int32Array(0),
  },
  start: new Uint32Array(1),
  frame: new Uint32Array(0),
  values: [new Float64Array(0)],
};
