import { profileTypes } from "@flamekeep/contract";
import { fromLinkParams, toLinkParams } from "@flamekeep/flame";
import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import type { Shared } from "#sharing/shared.ts";
import { sideNames } from "./model.ts";
import type { CompareSearch } from "./search.ts";

/** The comparison on screen. Its ranges do not move, although the page's ranges may. */
export function sharedComparison(search: CompareSearch, meta: ComparisonMeta): Shared {
  const { type = storedType(meta), sample_type, per, lines, generics, ...view } = search;
  const { mode, layout, color } = search;
  return {
    graph: {
      kind: "comparison",
      type,
      sample_type,
      group_by: groupingOf({ lines, generics }),
      per,
      before: sideOf(meta.before),
      after: sideOf(meta.after),
    },
    look: {
      ...toLinkParams(fromLinkParams({ ...view, scheme: undefined, legend: undefined })),
      ...(mode !== undefined && { mode }),
      ...(layout !== undefined && { layout }),
      ...(color !== undefined && { color }),
    },
  };
}

/** The times of both ranges on screen as search parameters: an address without them means the last hour and the one before. */
export function timesOf(search: CompareSearch, meta: ComparisonMeta): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sideNames
      .filter((name) => search[`${name}_profile`] === undefined)
      .flatMap((name) => [
        [`${name}_from`, meta[name].from],
        [`${name}_to`, meta[name].to],
      ]),
  );
}

function sideOf({ profileId, service, from, to, tags, labels }: SideMeta) {
  return { profile_id: profileId, service, from, to, tags, labels };
}

/** Two profiles are compared without a type in the address. */
function storedType({ type }: ComparisonMeta) {
  return profileTypes.find((each) => each === type) ?? "custom";
}
