import type { ProfileTab } from "@flamekeep/contract";
import { useNavigate } from "@tanstack/react-router";
import { ChartNoAxesGantt, ServerOff } from "lucide-react";
import { profileTypeName } from "#format/names.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { SenderLink } from "#profile-list/senders/data-received.tsx";
import { ShowLatest } from "#profile-list/show-latest.tsx";
import { fromFirstPage } from "#profile-list/use-table-search.ts";
import { BackToServices } from "#service-frame/service-frame.tsx";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";

interface NoServiceProfilesProps {
  readonly service: string;
  readonly tab: ProfileTab;
  /** Whether tags limit the list. */
  readonly isFiltered: boolean;
}

export function NoServiceProfiles({ service, tab, isFiltered }: NoServiceProfilesProps) {
  const kind = tab === "all" ? "" : `${profileTypeName(tab)} `;
  return (
    <div className="border-line border-t">
      <Message
        icon={ChartNoAxesGantt}
        title={`No ${kind}profiles found`}
        actions={
          <>
            {isFiltered ? <ClearTags /> : <ShowLatest text={service} isWholeName />}
            <SenderLink service={service} />
          </>
        }
      >
        <p>
          No {kind}profiles were found for {service} in the selected time range.
        </p>
        <p>Try expanding your time range or check if the service is sending profile data.</p>
        {isFiltered && <p>Only profiles with the chosen tags are shown.</p>}
      </Message>
    </div>
  );
}

function ClearTags() {
  const navigate = useNavigate();
  const search = (before: Record<string, unknown>) => ({ ...before, ...fromFirstPage, tags: undefined });
  return <Button onClick={() => void navigate({ to: ".", search })}>Clear tag filter</Button>;
}

/** For the address of a service that never sent anything. It gives way to the service's page with the first profile. */
export function ServiceNotFound({ service }: { readonly service: string }) {
  usePageTitle("Service Not Found");
  return (
    <Message
      icon={ServerOff}
      title="Service Not Found"
      heading="h1"
      actions={<NotFoundActions service={service} />}
    >
      <p>No data for a service named “{service}”.</p>
      <p>Check the spelling. A new service appears here with its first profile.</p>
      <OtherOrganization kind="service" id={service} />
    </Message>
  );
}

function NotFoundActions({ service }: { readonly service: string }) {
  return (
    <>
      <BackToServices />
      <SenderLink service={service} />
    </>
  );
}
