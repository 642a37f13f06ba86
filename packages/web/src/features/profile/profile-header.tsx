import type { Profile } from "@flamekeep/contract";
import { fromLinkParams, toLinkParams } from "@flamekeep/flame";
import { useMutation } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { ArrowLeft, Download, Globe, Sparkles } from "lucide-react";
import { groupingOf } from "#flame-graph/toolbar/grouping-params.ts";
import { profileTypeLabel } from "#format/names.ts";
import { InHeader } from "#layout/header-slot.tsx";
import type { Labels } from "#sample-labels/model.ts";
import { ShareButton } from "#sharing/share-button.tsx";
import type { Shared } from "#sharing/shared.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { ExactTime, RelativeTime } from "#ui/content/values.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { useIsWide } from "#ui/hooks/use-media.ts";
import { showToast } from "#ui/overlays/toast.ts";
import { readingOf } from "./model.ts";
import { NeighbourLinks } from "./neighbour-links.tsx";
import { saveOriginal } from "./queries.ts";
import { Tags } from "./tags.tsx";
import { useGoBack } from "./use-go-back.ts";

/** Title, time, tags and actions in two lines, so that the frames begin in the first 300 px, below an alert too. */
export function ProfileHeader({ profile }: { readonly profile: Profile }) {
  const isWide = useIsWide();
  return (
    <header className="mb-2 flex flex-col gap-1 md:-mt-3">
      <InHeader className="mb-1">
        <Trail profile={profile} />
      </InHeader>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Title profile={profile} />
        <Actions profile={profile} />
      </div>
      <div className="flex min-h-5 flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-muted">
          <Link
            to="/profiles/service/$serviceName"
            params={{ serviceName: profile.service }}
            className="font-medium text-text hover:text-accent-text hover:underline"
          >
            {profile.service}
          </Link>{" "}
          · <ExactTime at={profile.timestamp} /> (<RelativeTime at={profile.timestamp} />)
        </p>
        <Tags tags={profile.tags} />
      </div>
      {/* Wide screens have it in a line of the flame graph. */}
      {(!isWide || profile.type === "metrics") && (
        <p className="text-label text-muted">{readingOf(profile)}</p>
      )}
    </header>
  );
}

function Trail({ profile }: { readonly profile: Profile }) {
  const { display_type: type, service } = profile;
  return (
    <Breadcrumb>
      <Link to="/dashboard">Dashboard</Link>
      <Link to="/profiles">Profiles</Link>
      <Link to="/profiles/$type" params={{ type }}>
        {profileTypeLabel(type)}
      </Link>
      <Link
        to="/profiles/service/$serviceName/$type"
        params={{ serviceName: service, type: type === "metrics" ? "all" : type }}
        title={service}
        className="max-w-60 truncate"
      >
        {service}
      </Link>
      <span className="whitespace-nowrap text-text">
        Profile <span className="font-mono">{profile.profile_id.slice(0, 8)}</span>
      </span>
    </Breadcrumb>
  );
}

function Title({ profile }: { readonly profile: Profile }) {
  const goBack = useGoBack(profile.profile_id);
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Button variant="ghost" size="icon" aria-label="Back" className="-ml-2 size-8!" onClick={goBack}>
        <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
      <h1 className="flex items-center gap-2 font-semibold text-page tracking-tight">
        <span>
          Profile: <span className="font-mono">{profile.profile_id.slice(0, 12)}</span>
        </span>
        <ProfileTypeBadge type={profile.display_type} />
      </h1>
    </div>
  );
}

function Actions({ profile }: { readonly profile: Profile }) {
  const search = useSearch({ from: "/protected/profile/$profileId" });
  const download = useMutation({
    mutationFn: () => saveOriginal(profile),
    onSuccess: (remark) => remark !== undefined && showToast(remark),
    onError: (error) => showToast(`The profile was not downloaded. ${error.message}`, "critical"),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <NeighbourLinks profile={profile} />
      {profile.type === "metrics" && (
        <Link
          to="/projects/$projectId"
          params={{ projectId: profile.service }}
          hash="http"
          className={cx(buttonClass("secondary"), "h-8! px-3!")}
        >
          <Globe aria-hidden className="size-4" strokeWidth={1.75} />
          HTTP performance
        </Link>
      )}
      {profile.type !== "metrics" && (
        <Button className="h-8! px-3!" onClick={scrollToAnalysis}>
          <Sparkles aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-sm:sr-only">AI Analysis</span>
        </Button>
      )}
      <ShareButton
        label="Share Profile"
        copied="Profile URL copied to clipboard!"
        className="h-8! px-3!"
        shared={() => (profile.type === "metrics" ? undefined : sharedProfile(profile.profile_id, search))}
      />
      {profile.type !== "metrics" && (
        <Button className="h-8! px-3!" disabled={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-sm:sr-only">
            {download.isPending ? "Downloading..." : "Download original"}
          </span>
        </Button>
      )}
    </div>
  );
}

function scrollToAnalysis(): void {
  document.getElementById("ai-analysis")?.scrollIntoView({ block: "start", behavior: "smooth" });
}

type Search = Parameters<typeof fromLinkParams>[0] & {
  readonly sample_type?: string | undefined;
  readonly lines?: 1 | undefined;
  readonly labels?: Labels | undefined;
  readonly by_label?: string | undefined;
};

/** The flame graph of the page of a profile. */
function sharedProfile(profileId: string, search: Search): Shared {
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
