import type { Profile } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { countText } from "#format/number.ts";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { ProfileDuration, ProfileTotal, TagList } from "./cells.tsx";
import { type ProfileColumns, ProfileHead, tagsColumn } from "./profile-head.tsx";
import type { PickedProfiles } from "./use-picked.ts";

interface ProfileTableProps extends ProfileColumns {
  readonly profiles: readonly Profile[];
  /** Rows can be chosen for a comparison. */
  readonly picked?: PickedProfiles;
}

export function ProfileTable(props: ProfileTableProps) {
  const { profiles, hasService, isCompact = false, picked, order, onOrder } = props;
  const isNarrow = useIsNarrow();
  if (isNarrow) return <ProfileRows profiles={profiles} hasService={hasService} />;
  return (
    <div className={cx("@container", isCompact && "overflow-x-auto")}>
      <table className={tableClass}>
        <ProfileHead {...{ hasService, isCompact, order, onOrder }} />
        <tbody>
          {profiles.map((profile) => (
            <ProfileRow
              key={profile.profile_id}
              profile={profile}
              hasService={hasService}
              isCompact={isCompact}
              picked={picked}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ProfileRowProps {
  readonly profile: Profile;
  readonly hasService: boolean;
  readonly isCompact: boolean;
  readonly picked: PickedProfiles | undefined;
}

const cell = "px-3 py-0 first:pl-4 last:pr-4";
const numeric = cx(cell, "text-right");

function ProfileRow({ profile, hasService, isCompact, picked }: ProfileRowProps) {
  const { statistics } = profile;
  return (
    <tr className="h-9 border-line border-t transition-colors duration-120 hover:bg-surface-2">
      <td className={cx(cell, "whitespace-nowrap")}>
        {picked !== undefined && (
          <input
            type="checkbox"
            aria-label={`Compare profile ${profile.profile_id.slice(0, 12)}`}
            title="Select two profiles to compare them"
            checked={picked.isPicked(profile)}
            disabled={!picked.mayPick(profile)}
            onChange={() => picked.toggle(profile)}
            className="mr-2.5 size-4 align-middle accent-accent disabled:opacity-40"
          />
        )}
        <Link
          to="/profile/$profileId"
          params={{ profileId: profile.profile_id }}
          title={profile.profile_id}
          className="font-mono text-code hover:text-accent-text hover:underline"
        >
          {profile.profile_id.slice(0, 12)}
        </Link>
      </td>
      <td className={cell}>
        <ProfileTypeBadge type={profile.display_type} />
      </td>
      {hasService && (
        <td className={cell}>
          <Link
            to="/profiles/service/$serviceName"
            params={{ serviceName: profile.service }}
            className="block max-w-32 truncate @4xl:max-w-44 hover:text-accent-text hover:underline"
            title={profile.service}
          >
            {profile.service}
          </Link>
        </td>
      )}
      <td className={cx(cell, "whitespace-nowrap text-muted")}>
        <RelativeTime at={profile.timestamp} />
      </td>
      <td className={cx(cell, "max-w-0", tagsColumn(isCompact))}>
        <TagList tags={profile.tags} limit={isCompact ? 2 : 3} service={profile.service} />
      </td>
      <td className={numeric}>
        <ProfileTotal profile={profile} />
      </td>
      {!isCompact && <td className={numeric}>{statistics ? countText(statistics.total_samples) : "N/A"}</td>}
      {!isCompact && (
        <td className={numeric}>
          <ProfileDuration profile={profile} />
        </td>
      )}
    </tr>
  );
}

interface ProfileRowsProps {
  readonly profiles: readonly Profile[];
  readonly hasService: boolean;
}

/** The table on narrow screens: two lines per profile, the whole row is a link. */
function ProfileRows({ profiles, hasService }: ProfileRowsProps) {
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
