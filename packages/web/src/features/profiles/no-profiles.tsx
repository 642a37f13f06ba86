import { ChartNoAxesGantt } from "lucide-react";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { Message } from "#ui/message.tsx";

export function NoProfiles({ typeLabel }: { readonly typeLabel?: string | undefined }) {
  return (
    <OrganizationEmpty
      otherwise={
        <Message
          icon={ChartNoAxesGantt}
          title={typeLabel === undefined ? "No profiles available" : `No ${typeLabel} profiles available`}
        >
          <p>
            No profile was taken in this time range. Choose a longer one, as a profile stands at the time when
            it was taken, or check that a service is sending.
          </p>
        </Message>
      }
    />
  );
}
