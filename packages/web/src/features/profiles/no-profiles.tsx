import { Link } from "@tanstack/react-router";
import { ChartNoAxesGantt } from "lucide-react";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { Message } from "#ui/content/message.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";

interface NoProfilesProps {
  readonly typeLabel?: string | undefined;
  readonly onAllTypes?: (() => void) | undefined;
}

export function NoProfiles({ typeLabel, onAllTypes }: NoProfilesProps) {
  const kind = typeLabel === undefined ? "" : `${typeLabel} `;
  return (
    <OrganizationEmpty
      otherwise={
        <Message
          icon={ChartNoAxesGantt}
          title={`No ${kind}profiles available`}
          actions={
            <>
              {onAllTypes && <Button onClick={onAllTypes}>Show All Types</Button>}
              <Link to="/senders" className={buttonClass("secondary")}>
                Senders
              </Link>
            </>
          }
        >
          <p>
            No {kind}profiles in this time range. Profiles are listed by recording time: choose a longer
            range, or check that a service is sending.
          </p>
        </Message>
      }
    />
  );
}
