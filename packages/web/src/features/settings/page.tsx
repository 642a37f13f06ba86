import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Globe, MapPin, Monitor, Moon, Sun } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useId } from "react";
import type { Zone } from "#format/wall-time.ts";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "#preferences/theme.ts";
import { chooseZone, useZone } from "#preferences/time-zone.ts";
import { updateUser, useIsSignedIn } from "#session/session.ts";
import { Mutes } from "#settings/mutes/mutes.tsx";
import { Rules } from "#settings/rules/rules.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { cx } from "#ui/cx.ts";
import { Account } from "./account/account.tsx";
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

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly detail: string;
  readonly icon: ReactNode;
}

const themes: readonly Option<ThemeChoice>[] = [
  { value: "light", label: "Light", detail: "Always", icon: <Sun aria-hidden strokeWidth={1.75} /> },
  { value: "dark", label: "Dark", detail: "Always", icon: <Moon aria-hidden strokeWidth={1.75} /> },
  {
    value: "system",
    label: "System",
    detail: "As your device",
    icon: <Monitor aria-hidden strokeWidth={1.75} />,
  },
];

const zones: readonly Option<Zone>[] = [
  {
    value: "local",
    label: "Local",
    detail: Intl.DateTimeFormat().resolvedOptions().timeZone,
    icon: <MapPin aria-hidden strokeWidth={1.75} />,
  },
  {
    value: "utc",
    label: "UTC",
    detail: "Coordinated Universal Time",
    icon: <Globe aria-hidden strokeWidth={1.75} />,
  },
];

/** Choices of this browser. They apply at once, so there is nothing to save. */
export function Preferences() {
  const theme = useThemeChoice();
  const zone = useZone();
  return (
    <Card>
      <CardHeader title="Preferences" detail="Stored in this browser. Changes apply immediately." />
      <Choice name="theme" label="Theme" options={themes} value={theme} onChange={chooseTheme} />
      <Choice name="time_zone" label="Time zone" options={zones} value={zone} onChange={chooseZone} />
    </Card>
  );
}

interface ChoiceProps<V extends string> {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

function Choice<V extends string>({ name, label, options, value, onChange }: ChoiceProps<V>) {
  const labelId = useId();
  return (
    <div className="grid gap-2 border-line border-t px-4 py-3 sm:grid-cols-[12rem_minmax(0,1fr)] sm:items-center">
      <span id={labelId} className="font-medium">
        {label}
      </span>
      <div role="radiogroup" aria-labelledby={labelId} className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              "flex min-w-32 flex-1 cursor-pointer items-center gap-3 rounded-control border px-3 py-2 transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 [&_svg]:size-4 [&_svg]:text-muted",
              option.value === value ? "border-accent bg-accent/8" : "border-line-strong hover:bg-surface-2",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.icon}
            <span>
              <span className="block font-medium">{option.label}</span>
              <span className="block text-label text-muted">{option.detail}</span>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
