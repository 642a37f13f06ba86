import type { LabelSet } from "@flamekeep/profile";
import { LruCache } from "#store/lru.ts";

/** Values of all series together: about 10 MB. */
const valuesKept = 100_000;

/**
 * The values of each label that the profiles of a series had on a day, to find labels with more values than a limit. A worker thread knows
 * the values of its own uploads since it started, and forgets the series that it saw longest ago.
 */
export class SeriesLabels {
  readonly #series: LruCache<Map<string, Set<string>>>;

  constructor(kept = valuesKept) {
    this.#series = new LruCache(kept);
  }

  /** Whether the label has had more values than the limit. */
  isBeyond(series: string, key: string, valuesMax: number): boolean {
    return (this.#series.get(series)?.get(key)?.size ?? 0) > valuesMax;
  }

  /** Notes the values of a profile; of a label beyond the limit no more are kept. */
  add(series: string, sets: readonly LabelSet[], valuesMax: number): void {
    if (sets.length === 0) return;
    const keys = this.#series.get(series) ?? new Map<string, Set<string>>();
    for (const set of sets)
      for (const [key, value] of set) {
        const values = keys.get(key) ?? new Set();
        if (values.size <= valuesMax) values.add(value);
        keys.set(key, values);
      }
    const weight = [...keys.values()].reduce((sum, { size }) => sum + size, 1);
    this.#series.set(series, keys, weight);
  }
}
