import type { Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, CircleAlert, FileQuestionMark } from "lucide-react";
import { CallFailure } from "#api/reply.ts";
import { profileTypeLabel } from "#format/names.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { FlamePanel } from "./flame-panel.tsx";
import { InfoCard } from "./info-card.tsx";
import { ProfileHeader, useGoBack } from "./profile-header.tsx";
import { factsGridClass, ProfileSkeleton } from "./profile-skeleton.tsx";
import { profileQuery } from "./queries.ts";
import { StatisticsPanel } from "./statistics-panel.tsx";

export function ProfilePage() {
  const { profileId } = useParams({ from: "/protected/profile/$profileId" });
  const { data: profile, error, refetch } = useQuery(profileQuery(profileId));
  usePageTitle(
    profile && `${profile.service}, ${profileTypeLabel(profile.display_type)} ${profileId.slice(0, 8)}`,
  );
  if (profile !== undefined) return <ProfileView profile={profile} />;
  if (error === null) return <ProfileSkeleton />;
  return <ProfileFailure error={error} onRetry={() => void refetch()} />;
}

function ProfileView({ profile }: { readonly profile: Profile }) {
  return (
    <>
      <Breadcrumb>
        <Link to="/dashboard">Dashboard</Link>
        <Link to="/profiles">Profiles</Link>
        <Link to="/profiles/$type" params={{ type: profile.display_type }}>
          {profileTypeLabel(profile.display_type)}
        </Link>
        <span className="text-text">
          Profile <span className="font-mono">{profile.profile_id.slice(0, 8)}</span>
        </span>
      </Breadcrumb>
      <ProfileHeader profile={profile} />
      <div className={factsGridClass}>
        <InfoCard profile={profile} />
        <StatisticsPanel profile={profile} />
      </div>
      {profile.type !== "metrics" && <FlamePanel profile={profile} />}
    </>
  );
}

interface ProfileFailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

function ProfileFailure({ error, onRetry }: ProfileFailureProps) {
  const goBack = useGoBack();
  const isMissing = error instanceof CallFailure && error.code === "not_found";
  const title = isMissing ? "Profile not found" : "Failed to load profile data. Please try again later.";
  usePageTitle(title);
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
    </Message>
  );
}
