import type { Profile, ProfileNeighbours } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { ArrowLeftRight, ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";
import { exactTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { neighboursQuery } from "./queries.ts";

/**
 * Lead to the profiles of the same service and type before and after this one, and to the comparison with the one before. They keep
 * their place while loading.
 */
export function NeighbourLinks({ profile }: { readonly profile: Profile }) {
  const { data } = useQuery(neighboursQuery(profile.profile_id));
  return (
    <>
      <div className="flex">
        <NeighbourLink icon={ChevronLeft} name="Previous profile" to={data?.previous} />
        <NeighbourLink icon={ChevronRight} name="Next profile" to={data?.next} />
      </div>
      {profile.type !== "metrics" && <ComparePrevious profile={profile} previous={data?.previous} />}
    </>
  );
}

interface ComparePreviousProps {
  readonly profile: Profile;
  readonly previous: ProfileNeighbours["previous"] | undefined;
}

/** Compares the profile with the one before it; the selected function stays selected. */
function ComparePrevious({ profile, previous }: ComparePreviousProps) {
  const { fn } = useSearch({ from: "/protected/profile/$profileId" });
  const name = "Compare with the previous profile";
  const icon = <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />;
  const className = cx(buttonClass("secondary", "icon"), "size-8!");
  if (previous === undefined || previous === null) {
    return (
      <button type="button" disabled aria-label={name} title={name} className={className}>
        {icon}
      </button>
    );
  }
  return (
    <Link
      to="/compare"
      search={{ before_profile: previous.profile_id, after_profile: profile.profile_id, fn }}
      aria-label={name}
      title={name}
      className={className}
    >
      {icon}
    </Link>
  );
}

interface NeighbourLinkProps {
  readonly icon: LucideIcon;
  readonly name: string;
  /** Undefined while it is looked for, null if there is none. */
  readonly to: ProfileNeighbours["next"] | undefined;
}

const linkClass = cx(
  buttonClass("secondary", "icon"),
  "size-8! first:rounded-r-none! last:-ml-px last:rounded-l-none!",
);

function NeighbourLink({ icon: Icon, name, to }: NeighbourLinkProps) {
  const zone = useZone();
  const icon = <Icon aria-hidden className="size-4" strokeWidth={1.75} />;
  if (to === undefined || to === null) {
    const reason = to === null ? `${name}: none of this service and type` : name;
    return (
      <button type="button" disabled aria-label={name} title={reason} className={linkClass}>
        {icon}
      </button>
    );
  }
  return (
    <Link
      from="/profile/$profileId"
      to="/profile/$profileId"
      params={{ profileId: to.profile_id }}
      search={(search) => ({ ...search, ...withoutFrameRefs })}
      aria-label={name}
      title={`${name} of this service and type, ${exactTime(to.timestamp, zone)}`}
      className={linkClass}
    >
      {icon}
    </Link>
  );
}
