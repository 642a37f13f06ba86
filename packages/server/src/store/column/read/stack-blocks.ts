import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import type { ColumnReader } from "#store/column/query.ts";
import { LruCache } from "#store/lru.ts";
import {
  blockSeconds,
  blockSums,
  readTotals,
  type StackTotals,
  type StackTotalsRange,
} from "./stack-sums.ts";

/** Five minutes of a range. */
interface Block {
  /** Unix seconds. */
  readonly start: number;
  /** The number of profiles of its minutes in the range. */
  readonly profiles: number;
  /** Whether the range has all its minutes. */
  readonly isWhole: boolean;
}

interface CachedBlock {
  /** The number of profiles for which the totals are valid. */
  readonly profiles: number;
  readonly totals: StackTotals;
}

/** An entry's approximate size without its totals. */
const entryBytes = 600;
const bytesOfStack = 24;

/**
 * Sums over profiles in blocks of five minutes. A range that begins or ends a minute later has the same blocks, except at its ends,
 * and a new profile changes one of them.
 *
 * A cached block is used again while its minutes have as many profiles as when it was summed. Profiles never change, and whatever makes
 * their number smaller empties the cache: removals, and restarts of the engine, after which rows of interrupted inserts may be gone.
 */
export class StackBlocks {
  readonly #columns: Pick<ColumnReader, "queryBytes">;
  readonly #restarts: () => number;
  readonly #bytesMax: number;
  #cache: LruCache<CachedBlock>;
  #restartsSeen: number;

  /**
   * @param restarts of the engine
   * @param bytesMax 0 to cache nothing
   */
  constructor(columns: Pick<ColumnReader, "queryBytes">, restarts: () => number, bytesMax: number) {
    this.#columns = columns;
    this.#restarts = restarts;
    this.#bytesMax = bytesMax;
    this.#cache = new LruCache(bytesMax);
    this.#restartsSeen = restarts();
  }

  /** Empties the cache. Reads that are still running fill the previous cache, which is no longer used. */
  forget(): void {
    this.#cache = new LruCache(this.#bytesMax);
  }

  /** @param minutes the number of profiles in each minute to sum, all of them in the range, by Unix seconds */
  async read(range: StackTotalsRange, minutes: ReadonlyMap<number, number>): Promise<StackTotals[]> {
    if (this.#restartsSeen !== this.#restarts()) {
      this.#restartsSeen = this.#restarts();
      this.forget();
    }
    const cache = this.#cache;
    const found: StackTotals[] = [];
    const missing = new Map<number, Block>();
    for (const block of blocksOf(range, minutes)) {
      const known = block.isWhole ? cache.get(keyOf(range, block)) : undefined;
      if (known?.profiles === block.profiles) found.push(known.totals);
      else missing.set(block.start, block);
    }
    for (const [start, totals] of await this.#sum(range, [...missing.keys()])) {
      found.push(totals);
      const block = missing.get(start)!;
      const { profiles } = block;
      const weight = entryBytes + bytesOfStack * totals.ids.length;
      if (block.isWhole) cache.set(keyOf(range, block), { profiles, totals }, weight);
    }
    return found;
  }

  /** The totals of blocks that have profiles, by their starts. */
  async #sum(range: StackTotalsRange, starts: readonly number[]): Promise<[number, StackTotals][]> {
    if (starts.length === 0) return [];
    const span = {
      from: new Date(Math.max(range.from.getTime(), Math.min(...starts) * 1000)),
      to: new Date(Math.min(range.to.getTime(), (Math.max(...starts) + blockSeconds) * 1000)),
    };
    const bytes = await this.#columns.queryBytes(blockSums, { ...range, ...span, starts: [...starts] });
    const reader = new RowBinaryReader(bytes);
    const sums: [number, StackTotals][] = [];
    while (!reader.isAtEnd) sums.push([reader.uint32(), readTotals(reader)]);
    return sums;
  }
}

function blocksOf({ from, to }: StackTotalsRange, minutes: ReadonlyMap<number, number>): Block[] {
  const counts = new Map<number, number>();
  for (const [minute, profiles] of minutes) {
    const start = minute - (minute % blockSeconds);
    counts.set(start, (counts.get(start) ?? 0) + profiles);
  }
  return [...counts].map(([start, profiles]) => ({
    start,
    profiles,
    isWhole: start * 1000 >= from.getTime() && (start + blockSeconds) * 1000 <= to.getTime(),
  }));
}

function keyOf(
  { orgId, service, type, sampleType, additionalType }: StackTotalsRange,
  { start }: Block,
): string {
  return JSON.stringify([orgId, service, type, sampleType, additionalType, start]);
}
