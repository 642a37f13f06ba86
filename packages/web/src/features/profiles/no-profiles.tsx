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
            Nothing was received in this time range. Choose a longer one, or check that a service is sending.
          </p>
        </Message>
      }
    />
  );
}
