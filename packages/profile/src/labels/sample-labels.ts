import { halvesOf } from "#memory/growable.ts";
import type { Profile } from "#model/profile.ts";
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

/**
 * The sets of labels of samples as a tree: a node has the labels of its parent and one more, so that equal sets get the same node
 * without a comparison of sets. Node 0 has no labels. The fast reader makes the same tree.
 */
interface LabelTree {
  /** By node; smaller than the node. */
  readonly parent: Uint32Array;
  /** By node: the label that its parent does not have. */
  readonly label: Uint32Array;
  /** Four words each: strings of key and text, class of numbers, string of the unit. Numbers have text 0. */
  readonly labels: Uint32Array;
  /** By set, numbered from 1 in the order in which samples use them: its node. Entry 0 is 0, for samples without labels. */
  readonly setNode: Uint32Array;
}

interface TreeOfSamples {
  readonly tree: LabelTree;
  /** By sample. */
  readonly setOf: Uint16Array;
}

/** More sets than this are not read: a label may be the id of a request. */
const nodesMax = 1 << 16;

/** Undefined if the samples have too many sets of labels. */
function labelTreeOf({ samples, labels }: Profile): TreeOfSamples | undefined {
  const { length, labelStart } = samples;
  const distinct = new DistinctLabels(labels);
  const nodes = new Nodes();
  const setOfNode = new Map([[0, 0]]);
  const setOf = new Uint16Array(length);
  for (let sample = 0; sample < length; sample++) {
    let node = 0;
    for (let at = labelStart[sample]; at < labelStart[sample + 1]; at++) {
      const label = distinct.indexOf(at);
      if (label !== -1) node = nodes.childOf(node, label);
    }
    if (nodes.parent.length > nodesMax) return undefined;
    let set = setOfNode.get(node);
    if (set === undefined) {
      set = setOfNode.size;
      setOfNode.set(node, set);
    }
    setOf[sample] = set;
  }
  const tree = {
    parent: Uint32Array.from(nodes.parent),
    label: Uint32Array.from(nodes.label),
    labels: Uint32Array.from(distinct.words),
    setNode: Uint32Array.from(setOfNode.keys()),
  };
  return { tree, setOf };
}

/** Strings and nodes have smaller numbers. */
const numberMax = 2 ** 26;

class Nodes {
  readonly parent = [0];
  readonly label = [0];
  readonly #children = new Map<number, number>();

  childOf(node: number, label: number): number {
    const step = node * numberMax + label;
    const found = this.#children.get(step);
    if (found !== undefined) return found;
    const child = this.parent.push(node) - 1;
    this.label.push(label);
    this.#children.set(step, child);
    return child;
  }
}

class DistinctLabels {
  /** As `LabelTree.labels`. */
  readonly words: number[] = [];
  readonly #columns: Profile["labels"];
  readonly #halves: Uint32Array;
  readonly #indexes = new Map<string | number, number>();

  constructor(columns: Profile["labels"]) {
    this.#columns = columns;
    this.#halves = halvesOf(columns.number);
  }

  /** The index of the label at a place of the columns; -1 for one without a key. */
  indexOf(at: number): number {
    const key = this.#columns.key[at];
    const text = this.#columns.text[at];
    if (key === 0) return -1;
    if (text !== 0) return this.#indexAs(key * numberMax + text, key, text, 0, 0);
    const unit = this.#columns.unit[at];
    const numbers = numberClass(this.#halves[2 * at], this.#halves[2 * at + 1]);
    const name = unit === 0 ? -(key * 128 + numbers) : `${key} ${numbers} ${unit}`;
    return this.#indexAs(name, key, 0, numbers, unit);
  }

  #indexAs(name: string | number, ...words: readonly [number, number, number, number]): number {
    const found = this.#indexes.get(name);
    if (found !== undefined) return found;
    const index = this.words.push(...words) / 4 - 1;
    this.#indexes.set(name, index);
    return index;
  }
}

/**
 * The class of a numeric label, a 64-bit integer in two halves: 0, 1, 2-3, 4-7 and so on, each twice as wide as the one before.
 * Allocation sizes and counters have too many values to list each.
 */
export function numberClass(low: number, high: number): number {
  if (high >= 0x8000_0000) return negativeClass;
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low);
}

const negativeClass = 64;

/** `512-1023`, with a unit unless the key says it. */
export function numberClassText(numbers: number, unit: string, key: string): string {
  boundsTexts[numbers] ??= boundsText(numbers);
  const text = boundsTexts[numbers];
  return unit === "" || unit === key ? text : `${text} ${unit}`;
}

const boundsTexts: string[] = [];

function boundsText(numbers: number): string {
  if (numbers === negativeClass) return "negative";
  if (numbers < 2) return String(numbers);
  const first = 1n << BigInt(numbers - 1);
  return `${first}-${2n * first - 1n}`;
}
