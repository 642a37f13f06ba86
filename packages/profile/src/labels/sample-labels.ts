import type { Profile } from "#model/profile.ts";
import { type LabelTree, labelTreeOf } from "./label-tree.ts";
import { numberClassText } from "./number-class.ts";
import { type SplitStacks, sumRows } from "./split-stacks.ts";

/** A label of samples; numbers are classes: see `numberClass`. */
export interface Label {
  readonly key: string;
  readonly value: string;
}

/** Sets of labels: set n, counted from 1, has labels[setLabels[setStart[n - 1] .. setStart[n])], as its samples name them. */
export interface LabelSets {
  /** Distinct as the profile has them. */
  readonly labels: readonly Label[];
  readonly setStart: Uint32Array;
  readonly setLabels: Uint32Array;
}

/** The stacks of a profile split by the labels of their samples, and the sets of labels. */
export interface SampleLabels extends LabelSets, SplitStacks {}

/** The labels of a profile that has too many for `SampleLabels`, or values beyond 2^53. */
export type ReadLabels = SampleLabels | "unreadable";

/** Labels of all sets together. A sample may have thousands. */
const labelsMax = 1 << 18;

type TextAt = (string: number) => string;

/**
 * Undefined if no sample has a label.
 *
 * @param rows whose sets are numbered as in the tree
 */
export function sampleLabels(rows: SplitStacks, tree: LabelTree, textAt: TextAt): ReadLabels | undefined {
  if (tree.setNode.length === 1) return undefined;
  const lists = listsOf(tree);
  return lists === undefined ? "unreadable" : { ...rows, ...lists, labels: labelsOf(tree, textAt) };
}

/**
 * The labels of a profile that the general reader has read; undefined if no sample has a label.
 *
 * @param stackOf the stack of each sample
 * @param stacks number of stacks
 */
export function labelsOfSamples(
  profile: Profile,
  stackOf: Uint32Array,
  stacks: number,
): ReadLabels | undefined {
  if (profile.labels.length === 0) return undefined;
  const found = labelTreeOf(profile);
  const { samples, strings } = profile;
  const values = samples.values.filter((column) => column instanceof Float64Array);
  if (found === undefined || values.length < samples.values.length) return "unreadable";
  const rows = sumRows({ stack: stackOf, set: found.setOf, values }, stacks);
  return sampleLabels(rows, found.tree, (string) => strings[string]);
}

/** Undefined if the sets have too many labels. */
function listsOf({ parent, label, setNode }: LabelTree): Omit<LabelSets, "labels"> | undefined {
  const size = new Uint32Array(parent.length);
  for (let node = 1; node < parent.length; node++) size[node] = size[parent[node]] + 1;
  const setStart = new Uint32Array(setNode.length);
  for (let set = 1; set < setNode.length; set++) {
    setStart[set] = setStart[set - 1] + size[setNode[set]];
    if (setStart[set] > labelsMax) return undefined;
  }
  const setLabels = new Uint32Array(setStart[setNode.length - 1]);
  for (let set = 1; set < setNode.length; set++) {
    let at = setStart[set];
    for (let node = setNode[set]; node !== 0; node = parent[node]) setLabels[--at] = label[node];
  }
  return { setStart, setLabels };
}

function labelsOf({ labels }: LabelTree, textAt: TextAt): Label[] {
  const texts = new Map<number, string>();
  const cached = (string: number) => {
    const found = texts.get(string) ?? textAt(string);
    texts.set(string, found);
    return found;
  };
  const named: Label[] = [];
  for (let at = 0; at < labels.length; at += 4) {
    const key = cached(labels[at]);
    const text = labels[at + 1];
    const value = text === 0 ? numberClassText(labels[at + 2], cached(labels[at + 3]), key) : cached(text);
    named.push({ key, value });
  }
  return named;
}
