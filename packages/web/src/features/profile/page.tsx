import type { Profile } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft, CircleAlert, FileQuestionMark } from "lucide-react";
import { type ComponentProps, lazy, Suspense } from "react";
import { useHasOpenAlerts } from "#alert-list/use-open-alerts.ts";
import { importPage } from "#api/import-page.ts";
import { isNotFound } from "#api/reply.ts";
import { groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { profileTypeLabel } from "#format/names.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { AlertBanner } from "./alert-banner.tsx";
import { FlamePanel, useFindFunction } from "./flame-panel.tsx";
import { InfoCard } from "./info-card.tsx";
import { ProfileHeader } from "./profile-header.tsx";
import { factsGridClass, ProfileSkeleton, pageGridClass } from "./profile-skeleton.tsx";
import { profileQuery } from "./queries.ts";
import { StatisticsPanel } from "./statistics-panel.tsx";
import { useGoBack } from "./use-go-back.ts";

// Below the flame graph, which does not wait for it.
const ProfileLabelsCard = lazy(async () => ({
  default: (await importPage(() => import("./profile-labels.tsx"))).ProfileLabelsCard,
}));
const AnalysisCard = lazy(async () => ({
  default: (await importPage(() => import("#ai-analysis/analysis-card.tsx"))).AnalysisCard,
}));

// Only for a profile that is not there.
const OtherOrganization = lazy(async () => ({
  default: (await importPage(() => import("#layout/other-organization.tsx"))).OtherOrganization,
}));

export function ProfilePage() {
  const { profileId } = useParams({ from: "/protected/profile/$profileId" });
  const { data: profile, error, refetch } = useQuery(profileQuery(profileId));
  // Read together with the profile: a banner that comes later would move the page.
  const hasAlerts = useHasOpenAlerts();
  usePageTitle(
    profile && `${profile.service}, ${profileTypeLabel(profile.display_type)} ${profileId.slice(0, 8)}`,
  );
  if (profile !== undefined && hasAlerts) return <ProfileView profile={profile} />;
  if (error === null) return <ProfileSkeleton />;
  return <ProfileFailure profileId={profileId} error={error} onRetry={() => void refetch()} />;
}

function ProfileView({ profile }: { readonly profile: Profile }) {
  const find = useFindFunction(profile);
  return (
    <>
      <ProfileHeader profile={profile} />
      <AlertBanner profile={profile} />
      <div className={pageGridClass}>
        {profile.type !== "metrics" && (
          <div className="flex min-w-0 flex-col gap-4">
            <FlamePanel profile={profile} />
            <Suspense>
              <ProfileLabelsCard profile={profile} />
            </Suspense>
            <Suspense fallback={<Skeleton className="h-48 rounded-card!" />}>
              <AnalysisCard
                key={profile.profile_id}
                subject={{ kind: "profile", profileId: profile.profile_id }}
                offer="Find out what to improve in this profile"
                onFind={find}
              />
            </Suspense>
          </div>
        )}
        <div className={factsGridClass}>
          <InfoCard profile={profile} />
          <ProfileStatistics profile={profile} onFind={find} />
        </div>
      </div>
    </>
  );
}

/** It has the functions of the flame graph. */
function ProfileStatistics(props: Pick<ComponentProps<typeof StatisticsPanel>, "profile" | "onFind">) {
  const { generics = "function" } = useSearch({ from: "/protected/profile/$profileId" });
  const navigate = useNavigate({ from: "/profile/$profileId" });
  return (
    <StatisticsPanel
      {...props}
      grouping={generics}
      onGroupingChange={(grouping) => {
        const search = { ...groupingParams(grouping), ...withoutFrameRefs };
        void navigate({ search: (before) => ({ ...before, ...search }), resetScroll: false });
      }}
    />
  );
}

interface ProfileFailureProps {
  readonly profileId: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

function ProfileFailure({ profileId, error, onRetry }: ProfileFailureProps) {
  const isMissing = isNotFound(error);
  const title = isMissing ? "Profile not found" : "Failed to load profile data. Please try again later.";
  usePageTitle(title);
  const goBack = useGoBack(title);
  return (
    <Message
      icon={isMissing ? FileQuestionMark : CircleAlert}
      heading="h1"
      tone={isMissing ? "neutral" : "critical"}
      title={title}
      actions={
        <>
          <Button onClick={goBack}>
            <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
            Back
          </Button>
          {!isMissing && <Button onClick={onRetry}>Try Again</Button>}
        </>
      }
    >
      <p>{error.message}</p>
      {isMissing && (
        <Suspense>
          <OtherOrganization kind="profile" id={profileId} />
        </Suspense>
      )}
    </Message>
  );
}
