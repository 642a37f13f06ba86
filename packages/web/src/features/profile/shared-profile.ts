import { fromLinkParams, toLinkParams } from "@flamekeep/flame";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import type { Labels } from "#sample-labels/model.ts";
import type { Shared } from "#sharing/shared.ts";

type Search = Parameters<typeof fromLinkParams>[0] & {
  readonly sample_type?: string | undefined;
  readonly lines?: 1 | undefined;
  readonly labels?: Labels | undefined;
  readonly by_label?: string | undefined;
};

/** The flame graph of the page of a profile. */
export function sharedProfile(profileId: string, search: Search): Shared {
  const { sample_type, labels, by_label } = search;
  return {
    graph: {
      kind: "profile",
      profile_id: profileId,
      labels,
      sample_type,
      group_by: groupingOf(search),
      group_by_label: by_label,
    },
    look: { ...toLinkParams(fromLinkParams(search)) },
  };
}
