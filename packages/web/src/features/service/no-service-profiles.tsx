import type { ProfileTab } from "@flamekeep/contract";
import { ChartNoAxesGantt } from "lucide-react";
import { Message } from "#ui/content/message.tsx";

interface NoServiceProfilesProps {
  readonly service: string;
  readonly tab: ProfileTab;
  /** Whether tags limit the list. */
  readonly isFiltered: boolean;
}

export function NoServiceProfiles({ service, tab, isFiltered }: NoServiceProfilesProps) {
  const kind = tab === "all" ? "" : `${tab === "wall" ? "wall time" : tab} `;
  return (
    <div className="border-line border-t">
      <Message icon={ChartNoAxesGantt} title={`No ${kind}profiles found`}>
        <p>
          No {kind}profiles were found for {service} in the selected time range.
        </p>
        <p>Try expanding your time range or check if the service is sending profile data.</p>
        {isFiltered && <p>Only profiles with the chosen tags are shown.</p>}
      </Message>
    </div>
  );
}
