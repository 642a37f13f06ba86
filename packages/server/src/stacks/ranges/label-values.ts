import type { ColumnStore } from "#store/column/column-store.ts";
import { type LabelSet, matchesFilter, totalsBySet } from "./label-parts.ts";
import { labelValues, rolledLabelValues } from "./label-queries.ts";
import { readByLabels } from "./label-sources.ts";
import { noLabels } from "./labelled-range.ts";
import type { MergeRange } from "./requested-range.ts";

/** The values of a label, those with the largest totals first. */
export interface LabelKey {
  readonly key: string;
  /** Over all samples with the label. */
  readonly total: bigint;
  readonly values: readonly { readonly value: string; readonly total: bigint }[];
  /** The total of values that a limit removed; undefined if there are none. */
  readonly folded: bigint | undefined;
}

/** The labels of the samples of a range that have its labels, those with the largest totals first. */
export async function readLabelValues(
  columns: ColumnStore,
  range: MergeRange & { readonly sampleType: string },
): Promise<LabelKey[]> {
  const labels = range.labels ?? noLabels;
  const params = { ...range, ...labels };
  const { parts, answers } = await readByLabels(columns, range, {
    parts: totalsBySet(columns),
    rolled: (hours) => columns.query(rolledLabelValues, { ...params, ...hours }),
    profiles: (except) => columns.query(labelValues, { ...params, ...except }),
  });
  const sums = new ValueSums();
  for (const { key, value, total } of answers.flat()) sums.add(key, value, total);
  for (const { sampleType, sets } of parts) {
    if (sampleType !== range.sampleType) continue;
    for (const set of sets) if (matchesFilter(set.labels, labels)) sums.addSet(set.labels, set.total);
  }
  return sums.largestFirst();
}

class ValueSums {
  readonly #byKey = new Map<string, Map<string, bigint>>();

  add(key: string, value: string, total: bigint): void {
    const values = this.#byKey.get(key) ?? new Map<string, bigint>();
    this.#byKey.set(key, values.set(value, (values.get(value) ?? 0n) + total));
  }

  addSet(labels: LabelSet, total: bigint): void {
    for (const [key, value] of Object.entries(labels)) this.add(key, value, total);
  }

  largestFirst(): LabelKey[] {
    const keys = [...this.#byKey].map(([key, values]): LabelKey => {
      const folded = values.get("");
      return {
        key,
        total: [...values.values()].reduce((sum, total) => sum + total, 0n),
        values: [...values]
          .filter(([value]) => value !== "")
          .map(([value, total]) => ({ value, total }))
          .sort((a, b) => compare(b.total, a.total) || compare(a.value, b.value)),
        folded,
      };
    });
    return keys.sort((a, b) => compare(b.total, a.total) || compare(a.key, b.key));
  }
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
