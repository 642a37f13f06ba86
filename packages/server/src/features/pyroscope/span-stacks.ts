import { mergeStacks, type StackTable } from "@flamekeep/profile";
import { labelsOfProfile, unreadableLabelsText } from "#stacks/labelled-profile.ts";
import { openLabelledStacks } from "#stacks/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type-named.ts";

export interface SpanSelection {
  readonly originals: readonly Original[];
  /** As `type/unit`. */
  readonly sampleType: string;
  readonly spans: readonly string[];
  /** Labels of samples that may name a span. */
  readonly spanLabels: readonly string[];
}

/** The stacks of the samples of these spans, in one column. Must be called within `tryOpening`. */
export function spanStacks({ originals, sampleType, spans, spanLabels }: SpanSelection): StackTable {
  const wanted = new Set(spans);
  const sampleTypes = [toValueType(sampleType)];
  let sum: StackTable = { ...noStacks, sampleTypes };
  for (const original of originals) {
    const { profile } = openLabelledStacks(original);
    const index = sampleTypeNamed(profile.sampleTypes, sampleType);
    const found = index === -1 ? undefined : labelsOfProfile(profile, original.type);
    if (found === "unreadable") throw new RangeError(unreadableLabelsText);
    if (found === undefined) continue;
    const passes = [
      false,
      ...found.sets.map((set) => spanLabels.some((name) => wanted.has(set.get(name) ?? ""))),
    ];
    const values = new Float64Array(profile.stacks.length);
    const column = found.rows.values[index]!;
    found.rows.set.forEach((set, row) => {
      if (passes[set] === true) values[found.rows.stack[row]!]! += column[row]!;
    });
    // Copies what it takes: the next profile overwrites the stacks of this one.
    if (values.some((value) => value !== 0))
      sum = mergeStacks([sum, { ...profile.stacks, sampleTypes, values: [values] }]);
  }
  return sum;
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
