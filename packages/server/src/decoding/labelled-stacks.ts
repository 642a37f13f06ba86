import { readableLine } from "@flamekeep/contract";
import {
  foldSets,
  type LabelLimits,
  type LabelSet,
  type ProfileStacks,
  type SplitStacks,
  sampleLabels,
  splitStacks,
} from "@flamekeep/profile";

export interface LabelledStacks {
  /** The stacks, each once for every set of labels that its samples have. */
  readonly rows: SplitStacks;
  readonly sets: readonly LabelSet[];
  /** Labels that were left out or whose value was folded. */
  readonly foldedLabels: number;
}

interface Options {
  /** The profile as read, with all sample types. */
  readonly read: ProfileStacks;
  /** The profile whose stacks are split. */
  readonly profile: ProfileStacks;
  /** Limits keep the labels with the largest values of this sample type. */
  readonly sampleType: number;
  readonly limits: LabelLimits;
  readonly isIdentifier?: (key: string) => boolean;
}

/** The stacks of `raw` by labels; undefined if no sample has a label, "unclear" if the labels cannot be told apart. */
export function labelledStacks(
  raw: Uint8Array,
  { read, profile, sampleType, limits, isIdentifier }: Options,
): LabelledStacks | "unclear" | undefined {
  const { stackOf } = read;
  if (stackOf === undefined) return undefined;
  const labels = sampleLabels(raw, read.sampleTypes.length, read.sampleCount);
  if (labels === undefined) return "unclear";
  const { type, unit } = profile.sampleTypes[sampleType] ?? {};
  const column = read.sampleTypes.findIndex((each) => each.type === type && each.unit === unit);
  const totals = totalsOf(labels.setOf, labels.values[column], labels.sets.length);
  const { sets, setOf, foldedLabels } = foldSets(labels.sets.map(cleanSet), totals, limits, isIdentifier);
  const { stacks } = profile;
  const { sampleTypes } = read;
  const rows = splitStacks({ stacks, stackOf, labels, sampleTypes, setOf });
  return rows === undefined ? "unclear" : { rows, sets, foldedLabels };
}

function totalsOf(setOf: Uint32Array, values: Float64Array | undefined, count: number): Float64Array {
  const totals = new Float64Array(count);
  if (values === undefined) return totals;
  setOf.forEach((set, sample) => {
    if (set > 0) totals[set - 1]! += values[sample]!;
  });
  return totals;
}

/** As for tags of profiles. */
const nameLengthMax = 200;
const valueLengthMax = 1024;

function cleanSet(set: LabelSet): LabelSet {
  const clean = new Map<string, string>();
  for (const [key, value] of set) {
    const name = cleanText(key, nameLengthMax);
    const text = cleanText(value, valueLengthMax);
    if (name !== "" && text !== "") clean.set(name, text);
  }
  return clean;
}

function cleanText(text: string, max: number): string {
  const clean = readableLine(text).trim();
  return clean.length > max ? clean.slice(0, max).toWellFormed() : clean;
}
