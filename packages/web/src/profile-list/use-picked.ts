import type { Profile } from "@flamekeep/contract";
import { useState } from "react";

/** Up to two profiles of one type, chosen to be compared. */
export interface PickedProfiles {
  readonly picked: readonly Profile[];
  readonly isPicked: (profile: Profile) => boolean;
  /** False for a profile of another type than the one chosen first, and for HTTP metrics. */
  readonly mayPick: (profile: Profile) => boolean;
  /** Chooses a profile, instead of the second one if there are two, or takes the choice back. */
  readonly toggle: (profile: Profile) => void;
  readonly clear: () => void;
}

export function usePicked(): PickedProfiles {
  const [picked, setPicked] = useState<readonly Profile[]>([]);
  const isPicked = ({ profile_id: id }: Profile) => picked.some((each) => each.profile_id === id);
  return {
    picked,
    isPicked,
    mayPick: ({ type }) => type !== "metrics" && (picked[0]?.type ?? type) === type,
    toggle(profile) {
      if (isPicked(profile)) setPicked(picked.filter((each) => each.profile_id !== profile.profile_id));
      else setPicked([...picked.slice(0, 1), profile]);
    },
    clear: () => setPicked([]),
  };
}

/** The comparison of two profiles, the older one first. */
export function comparisonOf([a, b]: readonly [Profile, Profile]) {
  const [before, after] = a.timestamp <= b.timestamp ? [a, b] : [b, a];
  return {
    to: "/compare",
    search: { before_profile: before.profile_id, after_profile: after.profile_id },
  } as const;
}
