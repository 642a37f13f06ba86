import type { Context } from "#context";
import type { TagFilter } from "#http/query/tag-filter.ts";
import { countsByType } from "#store/profiles/service-totals.ts";
import { wallProfilesByService } from "#store/profiles/wall-profiles.ts";
import { taggedCounts } from "./queries.ts";

/** Profiles by type. */
export type Counts = ReadonlyMap<string, number>;

export function sumOf(counts: Counts): number {
  return [...counts.values()].reduce((sum, profiles) => sum + profiles, 0);
}

interface Counting {
  readonly counting: Promise<Counts>;
  /** Number of wall-clock profiles, which `counting` counts as custom. */
  readonly countingWall: Promise<number>;
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
    const reading = columns.query(taggedCounts, { orgId, fromMs, toMs, service, tagNames, tagValues });
    return {
      counting: reading.then((rows) => new Map(rows.map((row) => [row.type, row.profileCount]))),
      countingWall: reading.then((rows) => rows.reduce((sum, row) => sum + row.wallCount, 0)),
    };
  }
  const counting = countsByType(columns, range);
  const countingWall = counting.then(async (counts) =>
    counts.has("custom") ? sumOf(await wallProfilesByService(columns, range)) : 0,
  );
  return { counting, countingWall };
}
