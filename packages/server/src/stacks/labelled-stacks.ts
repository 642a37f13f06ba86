import { readableLine } from "@flamekeep/contract/readable";
import {
  foldSets,
  type Label,
  type LabelLimits,
  type LabelSet,
  type ProfileStacks,
  type SampleLabels,
  type SplitStacks,
  withSets,
} from "@flamekeep/profile";

export interface LabelledStacks {
  /** The stacks, each once for every set of labels that its samples have. */
  readonly rows: SplitStacks;
  readonly sets: readonly LabelSet[];
  /** Labels that were left out or whose value was folded. */
  readonly foldedLabels: number;
}

interface Options {
  /** Limits keep the labels with the largest values of this sample type. */
  readonly sampleType: number;
  readonly limits: LabelLimits;
  readonly isIdentifier?: (key: string) => boolean;
}

/**
 * The stacks of a profile that was read with its labels, split by them; undefined if no sample has a label, "unreadable" as in
 * `ReadLabels`.
 */
export function labelledStacks(
  { labels, stacks }: ProfileStacks,
  { sampleType, ...options }: Options,
): LabelledStacks | "unreadable" | undefined {
  if (typeof labels !== "object") return labels;
  const totals = () => totalsOf(labels, sampleType);
  const folded = foldSets({ ...labels, labels: labels.labels.map(cleanLabel) }, { ...options, totals });
  const rows = withSets(labels, stacks.length, folded.setOf);
  return { rows, sets: folded.sets, foldedLabels: folded.foldedLabels };
}

/** The total of each set, by its number. */
function totalsOf({ set, values, setStart }: SampleLabels, sampleType: number): Float64Array {
  const totals = new Float64Array(setStart.length);
  const column = values[sampleType] ?? new Float64Array(set.length);
  for (let row = 0; row < set.length; row++) totals[set[row]!]! += column[row]!;
  return totals;
}

/** As for tags of profiles. */
const nameLengthMax = 200;
const valueLengthMax = 1024;

function cleanLabel({ key, value }: Label): Label {
  return { key: cleanText(key, nameLengthMax), value: cleanText(value, valueLengthMax) };
}

function cleanText(text: string, max: number): string {
  const clean = readableLine(text).trim();
  return clean.length > max ? clean.slice(0, max).toWellFormed() : clean;
}
