import { halvesOf } from "#memory/halves.ts";
import type { Profile } from "#model/profile.ts";
import { numberClass } from "./number-class.ts";

/**
 * The sets of labels of samples as a tree: a node has the labels of its parent and one more, so that equal sets get the same node
 * without a comparison of sets. Node 0 has no labels. The fast reader makes the same tree.
 */
export interface LabelTree {
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
export function labelTreeOf({ samples, labels }: Profile): TreeOfSamples | undefined {
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
