import { useNavigate, useSearch } from "@tanstack/react-router";
import { Tabs } from "#ui/controls/tabs.tsx";
import { Account } from "./account.tsx";
import { ApiKeys } from "./api-keys.tsx";

const tabs = [
  { value: "api-keys", label: "API Keys" },
  { value: "account", label: "Account" },
] as const;

export function SettingsPage() {
  const { tab = "api-keys" } = useSearch({ from: "/protected/settings" });
  const navigate = useNavigate({ from: "/settings" });
  return (
    <div className="mx-auto max-w-5xl">
      <Tabs
        label="Settings"
        value={tab}
        items={tabs}
        onChange={(next) => void navigate({ search: { tab: next } })}
      >
        {tab === "api-keys" ? <ApiKeys /> : <Account />}
      </Tabs>
    </div>
  );
}
