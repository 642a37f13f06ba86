import type { Context } from "#context";
import type { Resolved, StackColumn, StoredStacks } from "#decoding/ranges/stored-stacks.ts";
import { type StackRange, withDefinitions } from "#decoding/ranges/with-definitions.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { refuseUnknownTags } from "#store/profiles/tag-names.ts";
import { type ChartProfile, latestProfiles, weightedStacks } from "./queries.ts";
import { seriesWeights } from "./series-weights.ts";

export interface ChartRange {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly tagNames: string[];
  readonly tagValues: string[];
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
