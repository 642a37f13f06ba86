import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentType, useEffect } from "react";
import { updateUser, useIsSignedIn } from "#session/session.ts";
import { Mutes } from "#settings/mutes/mutes.tsx";
import { Rules } from "#settings/rules/rules.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { Account } from "./account/account.tsx";
import { Preferences } from "./account/preferences.tsx";
import { RequiredFactorPage } from "./account/required-page.tsx";
import { Sessions } from "./account/sessions.tsx";
import { DataSettings } from "./data/retention.tsx";
import { Delivery } from "./delivery/delivery.tsx";
import { Digest } from "./delivery/digest.tsx";
import { ApiKeys } from "./keys/api-keys.tsx";
import { Audit } from "./organization/audit.tsx";
import { Members } from "./organization/members.tsx";
import { Organization } from "./organization/organization.tsx";
import { accountQuery } from "./parts/queries.ts";

const tabs = [
  { value: "api-keys", label: "API Keys" },
  { value: "account", label: "Account" },
  { value: "sessions", label: "Sessions" },
  { value: "members", label: "Members" },
  { value: "organization", label: "Organization" },
  { value: "audit", label: "Audit" },
  { value: "alerts", label: "Alerts" },
  { value: "data", label: "Data" },
  { value: "preferences", label: "Preferences" },
] as const;

const contents: Record<(typeof tabs)[number]["value"], ComponentType> = {
  "api-keys": ApiKeys,
  account: Account,
  sessions: Sessions,
  members: Members,
  organization: Organization,
  audit: Audit,
  alerts: AlertSettings,
  data: DataSettings,
  preferences: Preferences,
};

/** Here because its code belongs to the settings: a separate file would split theirs into more requests. */
export const SecondFactorPage = RequiredFactorPage;

export function SettingsPage() {
  const { tab = "api-keys" } = useSearch({ from: "/protected/settings" });
  const navigate = useNavigate({ from: "/settings" });
  const Content = contents[tab];
  useCurrentRole();
  return (
    <div className="mx-auto max-w-5xl">
      <Tabs
        label="Settings"
        value={tab}
        items={tabs}
        onChange={(next) => void navigate({ search: { tab: next } })}
      >
        <Content />
      </Tabs>
    </div>
  );
}

/** An admin may have changed the role since the sign-in: the settings offer what it allows now. */
function useCurrentRole(): void {
  const isSignedIn = useIsSignedIn();
  const { data } = useQuery({ ...accountQuery, enabled: isSignedIn });
  useEffect(() => {
    if (data !== undefined) updateUser(data.user);
  }, [data]);
}

function AlertSettings() {
  return (
    <div className="flex flex-col gap-4">
      <Delivery />
      <Digest />
      <Rules />
      <Mutes />
    </div>
  );
}
