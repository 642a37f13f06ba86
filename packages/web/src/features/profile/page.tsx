import type { Profile } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft, CircleAlert, FileQuestionMark, OctagonAlert, TriangleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, Suspense } from "react";
import { AlertSince } from "#alert-list/alert-parts.tsx";
import { alertComparison, alertPage } from "#alert-list/model.ts";
import { useHasOpenAlerts } from "#alert-list/use-open-alerts.ts";
import { useWorstAlert } from "#alert-list/use-worst-alert.ts";
import { alertSentence } from "#alert-list/values.ts";
import { lazyPart } from "#api/import-page.ts";
import { isNotFound } from "#api/reply.ts";
import { groupingParams } from "#flame-graph/toolbar/grouping-params.ts";
import { bytesMeasure } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { exactCount } from "#format/number.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExactTime, Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { FlamePanel, useFindFunction } from "./flame-panel.tsx";
import { omissionsOf } from "./model.ts";
import { ProfileHeader } from "./profile-header.tsx";
import { profileQuery } from "./queries.ts";
import { StatisticsPanel } from "./statistics-panel.tsx";
import { Tags } from "./tags.tsx";
import { useGoBack } from "./use-go-back.ts";

// Below the flame graph, which does not wait for it.
const ProfileLabelsCard = lazyPart(async () => (await import("./profile-labels.tsx")).ProfileLabelsCard);
const AnalysisCard = lazyPart(async () => (await import("#ai-analysis/analysis-card.tsx")).AnalysisCard);

// Only for a profile that is not there.
const OtherOrganization = lazyPart(
  async () => (await import("#layout/other-organization.tsx")).OtherOrganization,
);

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

/** The flame graph over the whole width, with details and statistics below it, or at its right on very wide screens. */
const pageGridClass = "grid gap-4 min-[1760px]:grid-cols-[minmax(0,1fr)_25.5rem]";

const factsGridClass =
  "grid content-start gap-4 min-[1100px]:max-[1759px]:grid-cols-[minmax(18rem,1fr)_minmax(0,2.4fr)]";

function ProfileSkeleton() {
  return (
    <div role="status" aria-label="Loading profile">
      <div className="mb-2 flex h-[3.5rem] flex-col gap-1 md:-mt-3">
        <Skeleton className="h-8 w-96 max-w-full" />
        <Skeleton className="mt-1 h-4 w-[32rem] max-w-full" />
      </div>
      <div className={pageGridClass}>
        <Skeleton className="h-[56rem] rounded-card!" />
        <div className={factsGridClass}>
          <Skeleton className="min-h-80 rounded-card!" />
          <Skeleton className="min-h-80 rounded-card!" />
        </div>
      </div>
    </div>
  );
}

/** The worst open alert on the service and type of a profile. */
function AlertBanner({ profile }: { readonly profile: Profile }) {
  const nowMs = useMinute();
  const alert = useWorstAlert(profile);
  if (alert === undefined) return null;
  const isOlder = !alert.rule && profile.timestamp < sinceOf(alert);
  return (
    <p className="mb-2 flex items-start gap-2 rounded-control border border-critical/30 bg-critical/8 px-2.5 py-1 lg:items-center">
      <OctagonAlert
        aria-hidden
        className="size-4 shrink-0 text-critical-text max-lg:mt-0.5"
        strokeWidth={1.75}
      />
      <span title={alertSentence(alert)} className="min-w-0 [overflow-wrap:anywhere] lg:truncate">
        {alertSentence(alert)}{" "}
        <span className="text-muted">
          <AlertSince alert={alert} />
          {isOlder && "; this profile is older than the increase"}
        </span>
      </span>
      <span className="ml-auto flex shrink-0 gap-4 font-medium text-critical-text max-sm:flex-col max-sm:gap-1">
        <Link {...alertComparison(alert)} title="Compare before and after" className="hover:underline">
          Compare
        </Link>
        <Link {...alertPage(alert, nowMs)} className="hover:underline">
          Timeline
        </Link>
      </span>
    </p>
  );
}

export function InfoCard({ profile }: { readonly profile: Profile }) {
  const omissions = omissionsOf(profile);
  return (
    <Card>
      <CardHeader title="Profile" />
      <dl className="flex flex-col gap-2.5 px-4 pb-4">
        <Row label="Service">{profile.service}</Row>
        <Row label="Type">
          <ProfileTypeBadge type={profile.display_type} />
        </Row>
        <Row label="Timestamp">
          <ExactTime at={profile.timestamp} />
        </Row>
        <Row label="Id">
          <span className="flex min-w-0 items-center">
            <span className="min-w-0 truncate font-mono text-code" title={profile.profile_id}>
              {profile.profile_id}
            </span>
            <CopyButton text={profile.profile_id} label="Copy the profile id" />
          </span>
        </Row>
        <Row label="Stacks">{exactCount(profile.stack_count)}</Row>
        <Row label="Size">
          <Quantity value={bytesMeasure(profile.size_bytes)} />
        </Row>
        <Row label="Tags">
          <Tags tags={profile.tags} />
        </Row>
      </dl>
      {profile.notice !== undefined && <p className="px-4 pb-4 text-label text-muted">{profile.notice}</p>}
      {omissions.length > 0 && (
        <p className="mx-4 mb-4 flex gap-2 rounded-control bg-warning/12 px-3 py-2 text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
          <span className="flex flex-col gap-1">
            {omissions.map((text) => (
              <span key={text} className="[overflow-wrap:anywhere]">
                {text}
              </span>
            ))}
          </span>
        </p>
      )}
    </Card>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid min-h-5 grid-cols-[5.25rem_minmax(0,1fr)] items-baseline gap-2">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
