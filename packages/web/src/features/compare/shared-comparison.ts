import { profileTypes } from "@flamekeep/contract";
import { fromLinkParams, toLinkParams } from "@flamekeep/flame";
import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import type { Shared } from "#sharing/shared.ts";
import type { CompareSearch } from "./search.ts";

/** The comparison on screen. Its ranges do not move as those of the page may. */
export function sharedComparison(search: CompareSearch, meta: ComparisonMeta): Shared {
  const { type = storedType(meta), sample_type, per, mode, layout, ...view } = search;
  return {
    graph: {
      kind: "comparison",
      type,
      sample_type,
      per,
      before: sideOf(meta.before),
      after: sideOf(meta.after),
    },
    look: {
      ...toLinkParams(fromLinkParams({ ...view, scheme: undefined, legend: undefined })),
      ...(mode !== undefined && { mode }),
      ...(layout !== undefined && { layout }),
    },
  };
}

function sideOf({ profileId, service, from, to, tags, labels }: SideMeta) {
  return { profile_id: profileId, service, from, to, tags, labels };
}

/** Two profiles are compared without a type in the address. */
function storedType({ type }: ComparisonMeta) {
  return profileTypes.find((each) => each === type) ?? "custom";
}
