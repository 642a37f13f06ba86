import type { Profile } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { countText } from "#format/number.ts";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { ProfileDuration, ProfileTotal, TagList } from "./cells.tsx";

interface ProfileRowsProps {
  readonly profiles: readonly Profile[];
  readonly hasService: boolean;
}

/** The table on narrow screens: two lines per profile, the whole row is a link. */
export function ProfileRows({ profiles, hasService }: ProfileRowsProps) {
  return (
    <ul className="divide-y divide-line border-line border-t">
      {profiles.map((profile) => (
        <li key={profile.profile_id}>
          <Link
            to="/profile/$profileId"
            params={{ profileId: profile.profile_id }}
            className="flex h-17.5 items-center gap-3 px-4 active:bg-surface-2"
          >
            <div className="min-w-0 flex-1">
              <div className="flex items-center gap-2">
                <ProfileTypeBadge type={profile.display_type} />
                <span className="min-w-0 flex-1 truncate font-medium">
                  {hasService ? profile.service : profile.profile_id.slice(0, 12)}
                </span>
                <ProfileTotal profile={profile} />
              </div>
              <div className="mt-1.5 flex items-center gap-2 text-label text-muted">
                <RelativeTime at={profile.timestamp} />
                <span className="min-w-0 flex-1 overflow-hidden">
                  <TagList tags={profile.tags} limit={2} />
                </span>
                <SamplesAndDuration profile={profile} />
              </div>
            </div>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Samples and duration, if the second line has room for them. */
function SamplesAndDuration({ profile }: { readonly profile: Profile }) {
  const { statistics } = profile;
  if (statistics === undefined) return null;
  return (
    <span className="max-sm:hidden">
      {countText(statistics.total_samples)} {statistics.total_samples === 1 ? "sample" : "samples"}
      {statistics.duration_ms > 0 && (
        <>
          {" · "}
          <ProfileDuration profile={profile} />
        </>
      )}
    </span>
  );
}
