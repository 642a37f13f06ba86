import { type DisplayType, namedSampleType, type ProfileType } from "@flamekeep/contract";
import type { AnalysedRange } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { readRangeContent, stackColumns } from "#stacks/ranges/merge-range.ts";
import type { MergeRange } from "#stacks/ranges/requested-range.ts";
import type { StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { toValueType } from "#store/profiles/profile-row.ts";

export interface RangeSeries {
  readonly orgId: string;
  readonly service: string;
  readonly type: ProfileType;
  readonly displayType: DisplayType;
}

/** The merged stacks of a range. */
export interface RangeStacks {
  readonly columns: readonly StackColumn[];
  readonly profiles: number;
  /** The sample type of the first column, as `type/unit`. */
  readonly sampleType: string;
  /** Sum of the first column over the profiles. */
  readonly total: number;
  /** Sum over the profiles; 0 for snapshots. */
  readonly durationNs: number;
}

/** Rules about garbage compare allocated bytes with bytes in use. */
const additionalSampleTypes: Partial<Record<ProfileType, readonly string[]>> = { memory: ["alloc_space"] };

export function toMergeRange(
  { orgId, service, type }: Pick<RangeSeries, "orgId" | "service" | "type">,
  { fromMs, toMs, tags }: AnalysedRange,
): MergeRange {
  return {
    orgId,
    service,
    type,
    from: new Date(fromMs),
    to: new Date(toMs),
    tagNames: Object.keys(tags),
    tagValues: Object.values(tags).map((value) => [value]),
  };
}

/** The main sample type first, then its counts, then others that rules read. */
export async function readRange(
  ctx: Context,
  series: RangeSeries,
  analysed: AnalysedRange,
): Promise<RangeStacks> {
  const range = toMergeRange(series, analysed);
  const content = await readRangeContent(ctx, range, namedSampleType(series.displayType));
  const present = new Set(content.sampleTypes.map((name) => toValueType(name).type));
  const others = (additionalSampleTypes[series.type] ?? []).filter((name) => present.has(name));
  const main = await stackColumns(ctx, range, content);
  const more = await Promise.all(
    others.map(async (name) => stackColumns(ctx, range, await readRangeContent(ctx, range, name))),
  );
  return {
    columns: [...main, ...more.flat()],
    profiles: content.profiles,
    sampleType: content.sampleType,
    total: Number(content.total),
    durationNs: Number(content.durationNs),
  };
}
