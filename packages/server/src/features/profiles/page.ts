import type { Context } from "#context";
import { invalid } from "#failure";
import type { TagFilter } from "#http/query/tag-filter.ts";
import { allMarks, readMarks, type SeparateCounts, separateCounts } from "#store/profiles/separate-types.ts";
import { countsByType, type TypeCounts } from "#store/profiles/service-totals.ts";
import { taggedCounts } from "./queries.ts";

interface Search {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Number of rows in the range; 0 if unknown. */
  readonly expected: number;
  /** Number of rows to find. */
  readonly limit: number;
}

/** Reads further back than evenly distributed rows would need. */
const reserve = 4;
const widening = 16;

/**
 * The newest rows of a range, found by reading as little of it as possible: first as far back as needed if rows were
 * evenly distributed, then further until there are enough. `read` returns the newest `limit` rows since a time.
 */
export async function findNewest<R>(
  read: (fromMs: number) => Promise<R[]>,
  { fromMs, untilMs, expected, limit }: Search,
): Promise<R[]> {
  const rangeMs = untilMs - fromMs;
  let spanMs = expected === 0 || rangeMs <= 0 ? rangeMs : (rangeMs * reserve * limit) / expected;
  while (spanMs < rangeMs) {
    const rows = await read(Math.floor(untilMs - spanMs));
    if (rows.length >= limit) return rows;
    spanMs *= widening;
  }
  return read(fromMs);
}

/** Position of the last profile of a page: the next page begins after it. */
export interface PageEnd {
  readonly startedAtMs: number;
  readonly profileId: string;
  /** The value that the page is sorted by; absent if that is the start. */
  readonly rank?: number;
}

const pattern = /^(?:(-?\d{1,16})\.)?(\d{1,15})\.([0-9a-f]{32})$/;

export function toCursor(end: PageEnd): string {
  const rank = end.rank === undefined ? "" : `${end.rank}.`;
  return Buffer.from(`${rank}${end.startedAtMs}.${end.profileId}`).toString("base64url");
}

/** Throws `invalid` for a text that `toCursor` did not write for such a page. */
export function fromCursor(cursor: string, isRanked: boolean): PageEnd {
  const match = pattern.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (match === null || (match[1] !== undefined) !== isRanked)
    throw invalid("Query parameter cursor must be the next_cursor of an earlier page in the same order");
  const [, rank, startedAtMs, profileId] = match;
  const end = { startedAtMs: Number(startedAtMs), profileId: profileId! };
  return rank === undefined ? end : { ...end, rank: Number(rank) };
}

export function sumOf(counts: TypeCounts["byType"]): number {
  return [...counts.values()].reduce((sum, profiles) => sum + profiles, 0);
}

interface Counting {
  readonly counting: Promise<TypeCounts>;
  /** Profiles of separate types, which `counting` counts as custom. */
  readonly countingSeparate: Promise<SeparateCounts>;
}

interface Range extends TagFilter {
  readonly orgId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly now: Date;
  /** Empty means all. */
  readonly service: string;
}

/** Counts the profiles of a range: by its totals, which have no tags, or the profiles with the tags. */
export function countProfiles({ columns }: Context, { tagNames, tagValues, ...range }: Range): Counting {
  if (tagNames.length > 0) {
    const { orgId, fromMs, toMs, service } = range;
    const tagged = { orgId, fromMs, toMs, service, tagNames, tagValues, allMarks };
    const reading = columns.query(taggedCounts, tagged);
    const counting = reading.then((rows) => ({ byType: sumsByType(rows), latestMs: range.toMs }));
    return { counting, countingSeparate: reading.then(separateCounts) };
  }
  const counting = countsByType(columns, range);
  const countingSeparate = counting.then(async (counts) =>
    separateCounts(counts.byType.has("custom") ? await readMarks(columns, range) : []),
  );
  return { counting, countingSeparate };
}

function sumsByType(
  rows: readonly { readonly type: string; readonly profiles: number }[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { type, profiles } of rows) sums.set(type, (sums.get(type) ?? 0) + profiles);
  return sums;
}
