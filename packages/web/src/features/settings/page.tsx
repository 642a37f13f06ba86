import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { Tabs } from "#ui/controls/tabs.tsx";
import { Account } from "./account.tsx";
import { ApiKeys } from "./api-keys.tsx";
import { DataSettings } from "./data/data-settings.tsx";
import { AlertSettings } from "./delivery/alert-settings.tsx";
import { Preferences } from "./preferences.tsx";
import { Sessions } from "./sessions/sessions.tsx";

const tabs = [
  { value: "api-keys", label: "API Keys" },
  { value: "account", label: "Account" },
  { value: "sessions", label: "Sessions" },
  { value: "alerts", label: "Alerts" },
  { value: "data", label: "Data" },
  { value: "preferences", label: "Preferences" },
] as const;

const contents: Record<(typeof tabs)[number]["value"], ComponentType> = {
  "api-keys": ApiKeys,
  account: Account,
  sessions: Sessions,
  alerts: AlertSettings,
  data: DataSettings,
  preferences: Preferences,
};

export function SettingsPage() {
  const { tab = "api-keys" } = useSearch({ from: "/protected/settings" });
  const navigate = useNavigate({ from: "/settings" });
  const Content = contents[tab];
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
