import type { Profile } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { Message } from "#ui/content/message.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";

/** A profile that has been received, but was taken before the range of the page. */
export function OldProfile({ profile }: { readonly profile: Profile }) {
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
