import type { LabelSet } from "./sample-labels.ts";

/** The value of a label whose own value was folded; no label has it, because a label needs a text. */
export const foldedValue = "";

export interface LabelLimits {
  readonly keys: number;
  /** Values of one key. */
  readonly values: number;
  /** At most 65,535. */
  readonly sets: number;
}

export interface FoldedSets {
  readonly sets: readonly LabelSet[];
  /** The set that each given set became, by its number; 0 has no labels. */
  readonly setOf: Uint16Array;
  /** Labels that were left out or whose value was folded. */
  readonly foldedLabels: number;
}

/**
 * The sets of labels within the limits: keys beyond the limit are left out, values beyond it become `foldedValue`, those with the
 * smallest totals first. If there are still too many sets, whole keys are folded, beginning with the one that has most values.
 *
 * @param totals of each set
 * @param isIdentifier whether all values of a key are folded
 */
export function foldSets(
  sets: readonly LabelSet[],
  totals: ArrayLike<number>,
  limits: LabelLimits,
  isIdentifier: (key: string) => boolean = () => false,
): FoldedSets {
  const values = valuesByKey(sets, totals);
  const keys = [...values].map(([key, ofKey]) => ({ key, total: sumOf(ofKey.values()), ofKey }));
  keys.sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
  const kept = new Map(
    keys
      .slice(0, limits.keys)
      .map(({ key, ofKey }) => [key, isIdentifier(key) ? new Set<string>() : largest(ofKey, limits.values)]),
  );
  let folded = applied(sets, kept);
  while (folded.length > limits.sets) {
    const [widest] = [...kept].sort(([, a], [, b]) => b.size - a.size);
    if (widest === undefined || widest[1].size === 0) {
      // Only keys are left to tell sets apart.
      kept.delete([...kept.keys()].at(-1)!);
    } else kept.set(widest[0], new Set());
    folded = applied(sets, kept);
  }
  return indexed(sets.length, folded, countFolded(values, kept));
}

type Totals = ReadonlyMap<string, number>;

function valuesByKey(sets: readonly LabelSet[], totals: ArrayLike<number>): Map<string, Map<string, number>> {
  const values = new Map<string, Map<string, number>>();
  sets.forEach((set, index) => {
    for (const [key, value] of set) {
      const ofKey = values.get(key) ?? new Map<string, number>();
      values.set(key, ofKey);
      ofKey.set(value, (ofKey.get(value) ?? 0) + totals[index]);
    }
  });
  return values;
}

function largest(values: Totals, count: number): Set<string> {
  const sorted = [...values].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return new Set(sorted.slice(0, count).map(([value]) => value));
}

/** Distinct sets, in order of first use, and the sets they were made of. */
type Distinct = readonly { readonly set: LabelSet; readonly from: readonly number[] }[];

function applied(sets: readonly LabelSet[], kept: ReadonlyMap<string, ReadonlySet<string>>): Distinct {
  const distinct = new Map<string, { set: LabelSet; from: number[] }>();
  sets.forEach((set, index) => {
    const pairs = [...set]
      .filter(([key]) => kept.has(key))
      .map(([key, value]): [string, string] => [key, kept.get(key)!.has(value) ? value : foldedValue])
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const name = JSON.stringify(pairs);
    const found = distinct.get(name);
    if (found === undefined) distinct.set(name, { set: new Map(pairs), from: [index] });
    else found.from.push(index);
  });
  return [...distinct.values()].filter(({ set }) => set.size > 0);
}

function indexed(count: number, folded: Distinct, foldedLabels: number): FoldedSets {
  const setOf = new Uint16Array(count + 1);
  folded.forEach(({ from }, index) => {
    for (const given of from) setOf[given + 1] = index + 1;
  });
  return { sets: folded.map(({ set }) => set), setOf, foldedLabels };
}

function countFolded(
  values: ReadonlyMap<string, Totals>,
  kept: ReadonlyMap<string, ReadonlySet<string>>,
): number {
  let count = 0;
  for (const [key, ofKey] of values) count += ofKey.size - (kept.get(key)?.size ?? 0);
  return count;
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
