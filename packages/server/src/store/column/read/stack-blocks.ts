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

/** Five minutes, or one. */
interface Part {
  /** Unix seconds. */
  readonly start: number;
  readonly seconds: typeof blockSeconds | typeof minuteSeconds;
  readonly profiles: number;
}

/** A block with its minutes that have profiles. */
interface Block extends Part {
  readonly minutes: readonly Part[];
}

interface CachedPart {
  /** The number of profiles for which the totals are valid. */
  readonly profiles: number;
  readonly totals: StackTotals;
}

const minuteSeconds = 60;
/** An entry's approximate size without its totals. */
const entryBytes = 600;
const bytesOfStack = 24;

/**
 * Sums over profiles in blocks of five minutes, and by minute in blocks that a range has a part of. A range that begins or ends a minute
 * later has the same blocks and minutes, except one at each end, and a new profile changes one of them.
 *
 * ```
 *   range      |--------------------------------|
 *   sums     ..|.|.|         |         |.|.|.|..      all minutes of the blocks at the ends are summed at once: the next
 *             minutes   blocks of five    minutes     ranges need them
 * ```
 *
 * A cached sum is used again while its time has as many profiles as when it was summed. Profiles never change, and whatever makes
 * their number smaller empties the cache: removals, and restarts of the engine, after which rows of interrupted inserts may be gone.
 */
export class StackBlocks {
  readonly #columns: Pick<ColumnReader, "queryBytes">;
  readonly #restarts: () => number;
  readonly #bytesMax: number;
  #cache: LruCache<CachedPart>;
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

  /**
   * @param range whole minutes
   * @param minutes the number of profiles in each minute to sum, by Unix seconds; also of minutes around the range
   */
  async read(range: StackTotalsRange, minutes: ReadonlyMap<number, number>): Promise<StackTotals[]> {
    if (this.#restartsSeen !== this.#restarts()) {
      this.#restartsSeen = this.#restarts();
      this.forget();
    }
    const cache = this.#cache;
    const find: Find = (part) => {
      const found = cache.get(keyOf(range, part));
      return found?.profiles === part.profiles ? found.totals : undefined;
    };
    const blocks = blocksOf(minutes).map((block) => lookUp(range, block, find));
    const found = blocks.flatMap((block) => block.found);
    const missing = new Map(blocks.flatMap((block) => block.missing).map((part) => [part.start, part]));
    for (const [start, totals] of await this.#sum(range, [...missing.values()])) {
      const part = missing.get(start)!;
      if (isIn(range, part)) found.push(totals);
      const weight = entryBytes + bytesOfStack * totals.ids.length;
      cache.set(keyOf(range, part), { profiles: part.profiles, totals }, weight);
    }
    return found;
  }

  /** The totals of parts that have profiles, by their starts. */
  async #sum(range: StackTotalsRange, parts: readonly Part[]): Promise<[number, StackTotals][]> {
    if (parts.length === 0) return [];
    const bytes = await this.#columns.queryBytes(blockSums, {
      ...range,
      from: new Date(Math.min(...parts.map(({ start }) => start)) * 1000),
      to: new Date(Math.max(...parts.map(({ start, seconds }) => start + seconds)) * 1000),
      starts: parts.map(({ start }) => start),
      blocks: parts.filter(({ seconds }) => seconds === blockSeconds).map(({ start }) => start),
    });
    const reader = new RowBinaryReader(bytes);
    const sums: [number, StackTotals][] = [];
    while (!reader.isAtEnd) sums.push([reader.uint32(), readTotals(reader)]);
    return sums;
  }
}

type Find = (part: Part) => StackTotals | undefined;

/** The cached sums of what the range has of a block, and what must be summed. */
function lookUp(
  range: StackTotalsRange,
  block: Block,
  find: Find,
): { found: readonly StackTotals[]; missing: readonly Part[] } {
  const inRange = block.minutes.filter((minute) => isIn(range, minute));
  const isWhole = isIn(range, block);
  const whole = isWhole ? find(block) : undefined;
  if (whole !== undefined || inRange.length === 0) return { found: whole ? [whole] : [], missing: [] };
  const byMinute = inRange.flatMap((minute) => find(minute) ?? []);
  if (byMinute.length === inRange.length) return { found: byMinute, missing: [] };
  if (isWhole) return { found: [], missing: [block] };
  return { found: byMinute, missing: block.minutes.filter((minute) => find(minute) === undefined) };
}

function blocksOf(minutes: ReadonlyMap<number, number>): Block[] {
  const parts = [...minutes].map(([start, profiles]): Part => ({ start, seconds: minuteSeconds, profiles }));
  const blocks = Map.groupBy(parts, ({ start }) => start - (start % blockSeconds));
  return [...blocks].map(([start, ofBlock]) => ({
    start,
    seconds: blockSeconds,
    profiles: ofBlock.reduce((sum, { profiles }) => sum + profiles, 0),
    minutes: ofBlock,
  }));
}

function isIn({ from, to }: StackTotalsRange, { start, seconds }: Part): boolean {
  return start * 1000 >= from.getTime() && (start + seconds) * 1000 <= to.getTime();
}

function keyOf(
  { orgId, service, type, sampleType, additionalType }: StackTotalsRange,
  { start, seconds }: Part,
): string {
  return JSON.stringify([orgId, service, type, sampleType, additionalType, start, seconds]);
}
