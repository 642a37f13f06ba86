import { type GraphType, namedSampleType, type ProfileType, storedTypeOf } from "@flamekeep/contract";
import type { Context } from "#context";
import { type LabelFilter, labelFilterOf } from "#http/query/label-filter.ts";
import { choicesOf, type TagChoices, tagFilterOf } from "#http/query/tag-filter.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";

/** The profiles to merge. Whole minutes; empty tag lists select all. */
export interface MergeRange extends TagChoices {
  readonly orgId: string;
  readonly service: string;
  readonly type: ProfileType;
  readonly from: Date;
  readonly to: Date;
  /** Samples with these labels; undefined for all. */
  readonly labels?: LabelFilter;
  /** Whether the totals leave out profiles whose labels were not recorded. A filter by labels always leaves them out. */
  readonly skipsUnrecordedLabels?: boolean;
}

/** A range with the sample types to sum: the main one, and a second one, empty for none. */
export interface SummedRange extends MergeRange {
  readonly sampleType: string;
  readonly additionalType: string;
}

/** The input of a call for a range. It may have tags, too: see `tagFilterOf`. */
interface RangeRequest {
  readonly service: string;
  readonly type: GraphType;
  readonly since?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly sample_type?: string | undefined;
  readonly labels?: string | string[] | undefined;
}

interface RequestedRange {
  readonly range: MergeRange & Required<Pick<MergeRange, "labels">>;
  /** In the caller's spelling; undefined for the main one. */
  readonly sampleType: string | undefined;
}

/** The profiles that a call requests, in whole minutes. Throws `invalid` for an empty range and for filters that are malformed. */
export function requestedRange(
  ctx: Pick<Context, "now">,
  orgId: string,
  { service, type, ...query }: RangeRequest,
): RequestedRange {
  const { fromMs, toMs } = toWholeMinutes(rangeOf(query, ctx.now()));
  return {
    range: {
      orgId,
      service,
      type: storedTypeOf(type),
      from: new Date(fromMs),
      to: new Date(toMs),
      ...choicesOf(tagFilterOf(query)),
      labels: labelFilterOf(query.labels),
    },
    sampleType: query.sample_type ?? namedSampleType(type),
  };
}
