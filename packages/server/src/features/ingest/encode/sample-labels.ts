import type { LabelSet, ProfileStacks, StackTable } from "@flamekeep/profile";
import type { Added, AddedLabels } from "#ingest/rows/profile-columns.ts";
import { type LabelledStacks, labelledStacks } from "#stacks/labelled-stacks.ts";
import { LruCache } from "#store/lru.ts";
import { isIdentifier } from "./checks/tags.ts";

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

const keysMax = 16;
const setsMax = 1000;

const seriesLabels = new SeriesLabels();

interface StoredLabelsOptions {
  readonly sampleType: number;
  readonly valuesMax: number;
  /** See `SeriesLabels`. */
  readonly series: string;
  readonly seriesValuesMax: number;
}

/** The labels of a profile's samples as its row has them; undefined if no sample has any, "unreadable" as in `ReadLabels`. */
export function storedLabels(
  profile: ProfileStacks,
  { sampleType, valuesMax, series, seriesValuesMax }: StoredLabelsOptions,
): LabelledStacks | "unreadable" | undefined {
  const limits = { keys: keysMax, values: valuesMax, sets: setsMax };
  const isFolded = (key: string) => isIdentifier(key) || seriesLabels.isBeyond(series, key, seriesValuesMax);
  const labels = labelledStacks(profile, { sampleType, limits, isIdentifier: isFolded });
  if (typeof labels === "object") seriesLabels.add(series, labels.sets, seriesValuesMax);
  return labels;
}

/** The values of a profile for its row; its stacks are split by labels. */
export function addedBy(
  table: StackTable,
  stackIds: Uint32Array,
  labels: LabelledStacks | undefined,
): Omit<Added, "totals"> {
  if (labels === undefined || labels.sets.length === 0) {
    const values = table.values.map((column) => column.subarray(0, table.length));
    return { stackIds: stackIds.subarray(0, 2 * table.length), values, labels: undefined };
  }
  const { stack, values } = labels.rows;
  const ids = new Uint32Array(2 * stack.length);
  for (let row = 0; row < stack.length; row++) {
    ids[2 * row] = stackIds[2 * stack[row]!]!;
    ids[2 * row + 1] = stackIds[2 * stack[row]! + 1]!;
  }
  return { stackIds: ids, values, labels: addedLabels(labels) };
}

function addedLabels({ rows: { set: setOf, values }, sets }: LabelledStacks): AddedLabels {
  const totals = values.map((column) => {
    const sums = new Float64Array(sets.length + 1);
    for (let row = 0; row < setOf.length; row++) sums[setOf[row]!]! += column[row]!;
    return sums.subarray(1);
  });
  return { sets, setOf, totals };
}
