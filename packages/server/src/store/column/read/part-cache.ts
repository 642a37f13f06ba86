import { LruCache } from "#store/lru.ts";

/** The width of a block, in seconds. */
export const blockSeconds = 300;
const minuteSeconds = 60;

/** Five minutes, or one. */
export interface Part {
  /** Unix seconds. */
  readonly start: number;
  readonly seconds: typeof blockSeconds | typeof minuteSeconds;
  readonly profiles: number;
}

/** A block with its minutes that have profiles. */
interface Block extends Part {
  readonly minutes: readonly Part[];
}

/** Sums the profiles of parts, for ranges of one kind. */
export interface PartReader<R, S> {
  readonly name: string;
  /** Identifies all that the sums depend on, except their time. */
  keyOf(range: R): string;
  /** The sums of parts, by their starts. */
  read(range: R, parts: readonly Part[]): Promise<ReadonlyMap<number, S>>;
  /** Sums of a part that `read` has none for. */
  readonly empty: S;
  /** The approximate size of sums in memory. */
  bytesOf(sums: S): number;
}

interface Range {
  readonly from: Date;
  readonly to: Date;
}

interface CachedPart {
  /** The number of profiles for which the sums are valid. */
  readonly profiles: number;
  /** The reader whose name is in the key knows their type. */
  readonly sums: unknown;
}

/** An entry's approximate size without its sums. */
const entryBytes = 600;

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
export class PartCache {
  readonly #restarts: () => number;
  readonly #bytesMax: number;
  #cache: LruCache<CachedPart>;
  #restartsSeen: number;

  /**
   * @param restarts of the engine
   * @param bytesMax 0 to cache nothing
   */
  constructor(restarts: () => number, bytesMax: number) {
    this.#restarts = restarts;
    this.#bytesMax = bytesMax;
    this.#cache = new LruCache(bytesMax);
    this.#restartsSeen = restarts();
  }

  /** Whether anything is used again. */
  get isOn(): boolean {
    return this.#bytesMax > 0;
  }

  /** Empties the cache. Reads that are still running fill the previous cache, which is no longer used. */
  forget(): void {
    this.#cache = new LruCache(this.#bytesMax);
  }

  /**
   * The sums of the range's parts that have profiles, in no order.
   *
   * @param range whole minutes
   * @param minutes the number of profiles in each minute to sum, by Unix seconds; also of minutes around the range
   */
  async read<R extends Range, S>(
    reader: PartReader<R, S>,
    range: R,
    minutes: ReadonlyMap<number, number>,
  ): Promise<S[]> {
    if (this.#restartsSeen !== this.#restarts()) {
      this.#restartsSeen = this.#restarts();
      this.forget();
    }
    const cache = this.#cache;
    const series = `${reader.name} ${reader.keyOf(range)}`;
    const keyOf = ({ start, seconds }: Part) => `${series} ${start} ${seconds}`;
    const find = (part: Part) => {
      const found = cache.get(keyOf(part));
      return found?.profiles === part.profiles ? (found.sums as S) : undefined;
    };
    const blocks = blocksOf(minutes).map((block) => lookUp(range, block, find));
    const found = blocks.flatMap((block) => block.found);
    const missing = blocks.flatMap((block) => block.missing);
    if (missing.length === 0) return found;
    const read = await reader.read(range, missing);
    for (const part of missing) {
      const sums = read.get(part.start) ?? reader.empty;
      if (isIn(range, part)) found.push(sums);
      cache.set(keyOf(part), { profiles: part.profiles, sums }, entryBytes + reader.bytesOf(sums));
    }
    return found;
  }
}

/** The cached sums of what the range has of a block, and what must be summed. */
function lookUp<S>(
  range: Range,
  block: Block,
  find: (part: Part) => S | undefined,
): { found: readonly S[]; missing: readonly Part[] } {
  const inRange = block.minutes.filter((minute) => isIn(range, minute));
  const isWhole = isIn(range, block);
  const whole = isWhole ? find(block) : undefined;
  if (whole !== undefined || inRange.length === 0)
    return { found: whole === undefined ? [] : [whole], missing: [] };
  const byMinute = inRange.map(find).filter((sums) => sums !== undefined);
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

function isIn({ from, to }: Range, { start, seconds }: Part): boolean {
  return start * 1000 >= from.getTime() && (start + seconds) * 1000 <= to.getTime();
}
