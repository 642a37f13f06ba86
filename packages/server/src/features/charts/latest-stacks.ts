import { z } from "zod";
import type { Context } from "#context";
import type { TagChoices } from "#http/query/tag-filter.ts";
import { ofTaggedProfiles, TagRange } from "#stacks/ranges/merge-queries.ts";
import type { Resolved, StackColumn, StoredStacks } from "#stacks/ranges/stored-stacks.ts";
import { type StackRange, withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, query } from "#store/column/query.ts";
import { Instant, Int64, SeriesRange } from "#store/column/values.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { refuseUnknownTags } from "#store/profiles/tag-names.ts";

export interface ChartRange extends TagChoices {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
}

/** The latest profiles of a range and their stacks. */
export interface LatestStacks {
  /** Oldest first. */
  readonly profiles: readonly ChartProfile[];
  /** Sums over the profiles by sample type, in the order of the latest profile. */
  readonly sums: readonly Omit<StackColumn, "divisor">[];
  /** For each sum: the latest profile of each series minus the one before it; undefined if no series has two profiles. */
  readonly growth: readonly (Omit<StackColumn, "divisor"> | undefined)[];
}

export async function latestStacks(ctx: Context, range: ChartRange): Promise<LatestStacks> {
  const { fromMs, toMs, ...rest } = range;
  const params = { ...rest, from: new Date(fromMs), to: new Date(toMs) };
  const profiles = await ctx.columns.query(latestProfiles, params);
  if (profiles.length === 0) {
    await refuseUnknownTags(ctx.columns, params, params.tagNames);
    return { profiles, sums: [], growth: [] };
  }
  const weights = seriesWeights(profiles);
  const answer = new RowBinaryReader(
    await ctx.columns.queryBytes(weightedStacks, {
      ...params,
      // Reads only the days and hours of these profiles.
      from: profiles.at(-1)!.startedAt,
      to: new Date(profiles[0]!.startedAt.getTime() + 1),
      profileIds: profiles.map((profile) => profile.profileId),
      weights: weights ?? profiles.map(() => 0),
    }),
  );
  const columns: { name: string; sum: Omit<StackColumn, "divisor">; growth: Omit<StackColumn, "divisor"> }[] =
    [];
  while (!answer.isAtEnd) {
    const name = answer.text();
    const ids = answer.uint64s();
    const sampleType = toValueType(name);
    const sum = { sampleType, ids, values: answer.int64s() };
    columns.push({ name, sum, growth: { sampleType, ids, values: answer.int64s() } });
  }
  const place = (name: string) => profiles[0]!.sampleTypes.indexOf(name);
  columns.sort((a, b) => place(a.name) - place(b.name));
  return {
    profiles: profiles.toReversed(),
    sums: columns.map(({ sum }) => sum),
    growth: columns.map(({ growth }) => (weights === undefined ? undefined : growth)),
  };
}

/** Runs a task of the decoding thread over the columns of a range. */
export function overStacks<T>(
  ctx: Context,
  { orgId, fromMs, toMs }: Omit<StackRange, "columns">,
  columns: readonly StackColumn[],
  run: (stored: StoredStacks) => Promise<Resolved<T>>,
): Promise<T> {
  return withDefinitions(ctx.columns, { orgId, fromMs, toMs, columns }, run);
}

/**
 * Weights with which a sum over profiles is the growth of each series since its previous profile: 1 for the newest profile
 * of a series (one service's profiles with the same tags), -1 for the one before it, 0 for the rest.
 *
 * ```
 * newest first   a3  b2  a2  b1  a1  c1
 * weight          1   1  -1  -1   0   0
 * ```
 *
 * @param profiles newest first
 * @returns undefined if no series has two profiles
 */
export function seriesWeights(
  profiles: readonly { readonly tags: Readonly<Record<string, string>> }[],
): number[] | undefined {
  const weights = profiles.map(() => 0);
  const seen = new Map<string, { newest: number; count: number }>();
  profiles.forEach(({ tags }, index) => {
    const key = JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));
    const series = seen.get(key);
    if (series === undefined) seen.set(key, { newest: index, count: 1 });
    else if (series.count++ === 1) {
      weights[series.newest] = 1;
      weights[index] = -1;
    }
  });
  return weights.some((weight) => weight !== 0) ? weights : undefined;
}

/** `totals` are differences for counters, and values for gauges. */
const ChartProfile = z.object({
  profileId: z.string(),
  startedAt: Instant,
  tags: z.record(z.string(), z.string()),
  sampleTypes: z.array(z.string()),
  totals: z.array(Int64),
  payloadBytes: z.int(),
});
export type ChartProfile = z.output<typeof ChartProfile>;

/** Newest first. */
const latestProfiles = query({
  name: "charts.latest-profiles",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, tags, sample_types AS sampleTypes,
          deltas_totals AS totals, greatest(original_bytes, toUInt32OrZero(facts['shared_bytes'])) AS payloadBytes
        FROM profiles
        WHERE ${ofTaggedProfiles}
        ORDER BY started_at DESC, profile_id DESC
        LIMIT {limit:UInt32}`,
  params: TagRange.extend({ limit: z.int() }),
  row: ChartProfile,
});

/**
 * The stacks of some profiles of a range: for each sample type its name, Array(UInt64) of stack ids and two
 * Array(Int64), the sum over the profiles and the sum of each profile's value times its weight.
 */
const weightedStacks = bytesQuery({
  name: "charts.weighted-stacks",
  sql: `SELECT toString(sample_type), groupArray(stack_id), groupArray(total), groupArray(weighted)
        FROM (
          SELECT sample_type, stack_id, sum(value) AS total, sum(value * weight) AS weighted
          FROM (
            SELECT sample_type, stacks, type_values,
              transform(profile_id, {profileIds:Array(String)}, {weights:Array(Int64)}, toInt64(0)) AS weight
            FROM profiles
            ARRAY JOIN sample_types AS sample_type, values AS type_values
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
              AND profile_id IN {profileIds:Array(String)}
          )
          ARRAY JOIN stacks AS stack_id, type_values AS value
          GROUP BY sample_type, stack_id
        )
        GROUP BY sample_type`,
  params: SeriesRange.extend({ profileIds: z.array(z.string()), weights: z.array(z.int()) }),
});

/** The profile of the same service, type and tags before one. */
export const previousProfile = query({
  name: "charts.previous-profile",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, sample_types AS sampleTypes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
        ORDER BY started_at DESC
        LIMIT 1`,
  params: SeriesRange.extend({ tagNames: z.array(z.string()), tagValues: z.array(z.string()) }),
  row: ChartProfile.pick({ profileId: true, startedAt: true, sampleTypes: true }),
});
