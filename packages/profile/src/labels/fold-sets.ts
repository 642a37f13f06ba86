import type { Label, LabelSets } from "./sample-labels.ts";

/** The value of a label whose own value was folded; no label has it, because a label needs a text. */
export const foldedValue = "";

export interface LabelLimits {
  readonly keys: number;
  /** Values of one key. */
  readonly values: number;
  /** At most 65,535. */
  readonly sets: number;
}

/** Values by key; numbers are classes. */
export type LabelSet = ReadonlyMap<string, string>;

interface FoldedSets {
  readonly sets: readonly LabelSet[];
  /** The set that each given set became, by its number; 0 has no labels. */
  readonly setOf: Uint16Array;
  /** Labels that were left out or whose value was folded. */
  readonly foldedLabels: number;
}

interface FoldOptions {
  /** The total of each set, by its number. Only called if there is something to fold. */
  readonly totals: () => ArrayLike<number>;
  readonly limits: LabelLimits;
  /** Whether all values of a key are folded. */
  readonly isIdentifier?: (key: string) => boolean;
}

/**
 * The sets of labels within the limits: keys beyond the limit are left out, values beyond it become `foldedValue`, those with the
 * smallest totals first. If there are still too many sets, whole keys are folded, beginning with the one that has most values. Labels
 * without a key or value are ignored; of several values of a key in a set, the first counts.
 */
export function foldSets(given: LabelSets, options: FoldOptions): FoldedSets {
  const { limits, isIdentifier = () => false } = options;
  const values = distinctValues(given.labels);
  const sets = valuesOfSets(given, values);
  const counts = countsByKey(values);
  const isWithin =
    counts.length <= limits.keys &&
    counts.every((count) => count <= limits.values) &&
    !values.keys.some(isIdentifier);
  const distinct = isWithin ? distinctSets(sets, values.text.length) : undefined;
  if (distinct !== undefined && distinct.lists.length <= limits.sets)
    return { ...named(distinct, values), foldedLabels: 0 };
  const { kept, distinct: folded } = fold(sets, values, { ...options, isIdentifier });
  return { ...named(folded, values), foldedLabels: countFolded(kept, values) };
}

/**
 * The distinct pairs of a key and a value, numbered. Numbers below `keys.length` are the folded values of the keys; the keys are
 * sorted.
 */
interface Values {
  readonly keys: readonly string[];
  /** By number of a value. */
  readonly key: readonly number[];
  readonly text: readonly string[];
  /** By given label: its number; -1 for one without a key or value. */
  readonly ofLabel: Int32Array;
}

function distinctValues(labels: readonly Label[]): Values {
  const keyNumbers = new Map<string, number>();
  for (const label of labels) if (isComplete(label)) keyNumbers.set(label.key, 0);
  const keys = [...keyNumbers.keys()].sort();
  const numbers = keys.map(() => new Map<string, number>());
  const key: number[] = [];
  const text: string[] = [];
  keys.forEach((name, index) => {
    keyNumbers.set(name, index);
    key.push(index);
    text.push(foldedValue);
  });
  const ofLabel = new Int32Array(labels.length);
  labels.forEach((label, index) => {
    const ofKey = isComplete(label) ? keyNumbers.get(label.key)! : -1;
    let number = ofKey === -1 ? -1 : numbers[ofKey].get(label.value);
    if (number === undefined) {
      number = text.push(label.value) - 1;
      key.push(ofKey);
      numbers[ofKey].set(label.value, number);
    }
    ofLabel[index] = number;
  });
  return { keys, key, text, ofLabel };
}

function isComplete({ key, value }: Label): boolean {
  return key !== "" && value !== "";
}

/** By set: numbers of its values, one of each key, sorted by key. */
type Sets = readonly (readonly number[])[];

function valuesOfSets({ setStart, setLabels }: LabelSets, { key, ofLabel }: Values): Sets {
  const sets: number[][] = [];
  for (let set = 0; set < setStart.length - 1; set++) {
    const list: number[] = [];
    for (let at = setStart[set]; at < setStart[set + 1]; at++) insert(list, ofLabel[setLabels[at]], key);
    sets.push(list);
  }
  return sets;
}

/** Inserts a value into a sorted list, unless there is one of its key. Most sets have few labels. */
function insert(list: number[], value: number, key: readonly number[]): void {
  if (value === -1) return;
  let place = list.length;
  while (place > 0 && key[list[place - 1]] > key[value]) place--;
  if (place > 0 && key[list[place - 1]] === key[value]) return;
  if (place === list.length) list.push(value);
  else list.splice(place, 0, value);
}

/** How many values each key has. */
function countsByKey({ keys, key }: Pick<Values, "keys" | "key">): number[] {
  const counts = keys.map(() => 0);
  for (let value = keys.length; value < key.length; value++) counts[key[value]]++;
  return counts;
}

/** By value: the value that it becomes, -1 if its key is left out. */
type Kept = Int32Array;

/** Distinct lists of values, in order of first use. */
interface DistinctSets {
  readonly lists: Sets;
  /** By given set, counted from 1: the number of its list, 0 for none. */
  readonly listOf: Uint32Array;
}

/** @param kept undefined if all values are kept */
function distinctSets(sets: Sets, valueCount: number, kept?: Kept): DistinctSets {
  const lists: (readonly number[])[] = [];
  const listOf = new Uint32Array(sets.length + 1);
  const listOfValue = new Uint32Array(valueCount);
  const listOfText = new Map<string, number>();
  for (const [set, values] of sets.entries()) {
    const list = kept === undefined ? values : keptOf(values, kept);
    if (list.length === 0) continue;
    const text = list.length === 1 ? "" : list.join();
    let number = list.length === 1 ? listOfValue[list[0]] : (listOfText.get(text) ?? 0);
    if (number === 0) {
      number = lists.push(list);
      if (list.length === 1) listOfValue[list[0]] = number;
      else listOfText.set(text, number);
    }
    listOf[set + 1] = number;
  }
  return { lists, listOf };
}

function keptOf(values: readonly number[], kept: Kept): number[] {
  return values.map((value) => kept[value]).filter((value) => value !== -1);
}

function fold(
  sets: Sets,
  values: Values,
  { totals, limits, isIdentifier }: Required<FoldOptions>,
): { readonly kept: Kept; readonly distinct: DistinctSets } {
  const { keys, key, text } = values;
  const total = totalsOfValues(sets, totals(), text.length);
  const ofKey: number[][] = keys.map(() => []);
  for (let value = keys.length; value < key.length; value++) ofKey[key[value]].push(value);
  const totalOfKey = ofKey.map((all) => all.reduce((sum, value) => sum + total[value], 0));
  const largestFirst = keys.map((_, index) => index).sort((a, b) => totalOfKey[b] - totalOfKey[a] || a - b);
  const kept = new Int32Array(text.length).fill(-1);
  // The numbers of kept keys, and how many values each of them keeps.
  const sizes = new Map<number, number>();
  for (const index of largestFirst.slice(0, limits.keys)) {
    const all = ofKey[index].sort((a, b) => total[b] - total[a] || (text[a] < text[b] ? -1 : 1));
    const size = isIdentifier(keys[index]) ? 0 : Math.min(all.length, limits.values);
    sizes.set(index, size);
    all.forEach((value, place) => {
      kept[value] = place < size ? value : index;
    });
  }
  let distinct = distinctSets(sets, text.length, kept);
  while (distinct.lists.length > limits.sets) {
    const [widest] = [...sizes].sort(([, a], [, b]) => b - a);
    if (widest === undefined || widest[1] === 0) {
      // Only keys are left that distinguish sets.
      const last = [...sizes.keys()].at(-1)!;
      sizes.delete(last);
      for (const value of ofKey[last]) kept[value] = -1;
    } else {
      sizes.set(widest[0], 0);
      for (const value of ofKey[widest[0]]) kept[value] = widest[0];
    }
    distinct = distinctSets(sets, text.length, kept);
  }
  return { kept, distinct };
}

function totalsOfValues(sets: Sets, totals: ArrayLike<number>, count: number): Float64Array {
  const sums = new Float64Array(count);
  sets.forEach((values, set) => {
    for (const value of values) sums[value] += totals[set + 1];
  });
  return sums;
}

function named(
  { lists, listOf }: DistinctSets,
  { keys, key, text }: Values,
): Omit<FoldedSets, "foldedLabels"> {
  const sets = lists.map((list) => {
    const set = new Map<string, string>();
    for (const value of list) set.set(keys[key[value]], text[value]);
    return set;
  });
  return { sets, setOf: Uint16Array.from(listOf) };
}

function countFolded(kept: Kept, { keys }: Values): number {
  let count = 0;
  for (let value = keys.length; value < kept.length; value++) if (kept[value] !== value) count++;
  return count;
}
