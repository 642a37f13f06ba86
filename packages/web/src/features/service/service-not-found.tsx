import { ServerOff } from "lucide-react";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { Message } from "#ui/content/message.tsx";
import { BackToServices } from "./service-header.tsx";

/** For the address of a service that never sent anything. It gives way to the service's page with the first profile. */
export function ServiceNotFound({ service }: { readonly service: string }) {
  usePageTitle("Service Not Found");
  return (
    <Message icon={ServerOff} title="Service Not Found" heading="h1" actions={<BackToServices />}>
      <p>Nothing is stored of a service with the name “{service}”.</p>
      <p>Check the spelling. A service that is new appears here with its first profile.</p>
      <OtherOrganization kind="service" id={service} />
    </Message>
  );
}
