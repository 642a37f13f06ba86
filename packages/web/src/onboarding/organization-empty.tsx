import { listProfiles, type Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { useMayChange } from "#session/session.ts";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { useNow } from "#ui/hooks/use-now.ts";

interface OrganizationEmptyProps {
  /** Shown if the organization has profiles outside the current range. */
  readonly otherwise: ReactNode;
}

// Loaded on demand, because an organization sees it only once.
const FirstProfile = lazyPart(async () => (await import("./first-profile.tsx")).FirstProfile);
const everything = "3660d";
const liveIntervalMs = 1_000;
/** A profile is old if it was taken this long before it was received. For as long afterwards people expect to see it. */
const oldMs = 3_600_000;

const placeholder = (
  <div role="status" aria-label="Loading how to send the first profile">
    <Skeleton className="mx-auto h-140 max-w-4xl rounded-card!" />
  </div>
);

/**
 * Replaces an empty list: by instructions for the first profile if the organization never sent one, or by the newest profile
 * if it has just been received and is older than the current range.
 */
export function OrganizationEmpty({ otherwise }: OrganizationEmptyProps) {
  const mayChange = useMayChange();
  const nowMs = useNow();
  const { data, isError } = useQuery({
    queryKey: ["profiles", "newest of all"],
    queryFn: ({ signal }) => call(listProfiles, { query: { since: everything, limit: 1 }, signal }),
    refetchInterval: ({ state }) => (state.data?.profiles.length ? false : liveIntervalMs),
  });
  // People with read access only cannot create a key, and neither can visitors of a demo that has no data yet.
  if (isError || !mayChange) return otherwise;
  if (data === undefined) return placeholder;
  const [newest] = data.profiles;
  if (newest === undefined) {
    return (
      <Suspense fallback={placeholder}>
        <FirstProfile />
      </Suspense>
    );
  }
  return isOldArrival(newest, nowMs) ? <OldProfile profile={newest} /> : otherwise;
}

function isOldArrival({ type, timestamp, received_at }: Profile, nowMs: number): boolean {
  const receivedMs = Date.parse(received_at);
  return type !== "metrics" && receivedMs - Date.parse(timestamp) > oldMs && nowMs - receivedMs < oldMs;
}

/** A profile that has been received, but was taken before the range of the page. */
function OldProfile({ profile }: { readonly profile: Profile }) {
  return (
    <Message
      icon={CircleCheck}
      title={`The profile of ${profile.service} has arrived`}
      actions={
        <Link
          to="/profile/$profileId"
          params={{ profileId: profile.profile_id }}
          className={buttonClass("primary")}
        >
          Open it
        </Link>
      }
    >
      <p>
        Received <RelativeTime at={profile.received_at} />, taken <RelativeTime at={profile.timestamp} />.
      </p>
      <p>Lists and charts show profiles at the time they were taken: choose a longer range to see it here.</p>
    </Message>
  );
}
