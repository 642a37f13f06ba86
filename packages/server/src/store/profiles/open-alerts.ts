import type { ServiceTrend } from "@flamekeep/contract";
import { ProfileType } from "@flamekeep/contract/schemas";
import type { Selectable } from "kysely";
import type { z } from "zod";
import type { Database } from "#store/row/row-store.ts";

type OpenAlert = Pick<
  Selectable<Database["alerts"]>,
  "service" | "type" | "sampleType" | "increase" | "severity"
>;

/** The open alerts of an organization that are not muted: thousands of services have a thousand. */
export interface OpenAlertReads {
  /** @param services all of them by default */
  list(orgId: string, services?: readonly string[]): Promise<readonly OpenAlert[]>;
  byService(orgId: string): Promise<readonly AlertCounts[]>;
  count(orgId: string): Promise<{ readonly alerts: number; readonly services: number }>;
}

export interface AlertCounts {
  readonly service: string;
  readonly count: number;
  readonly isCritical: boolean;
}

export interface OpenAlerts extends AlertCounts {
  /** The alert about profiles with the largest increase. */
  readonly worst: { readonly type: z.output<typeof ProfileType>; readonly increase: number } | undefined;
}

/** The increase of an alert, as a fraction. */
export const criticalIncrease = 0.5;

export function openAlertsByService(alerts: readonly OpenAlert[]): OpenAlerts[] {
  const sorted = alerts.toSorted((a, b) => b.increase - a.increase);
  return [...Map.groupBy(sorted, ({ service }) => service)].map(([service, own]) => {
    // Alerts about requests have the type of their evidence, which did not rise.
    // Alerts of rules, which have a severity, are about a threshold.
    const ofProfiles = own.find(
      ({ sampleType, severity }) => severity === null && !sampleType.startsWith("http_"),
    );
    const worst = ofProfiles && {
      type: ProfileType.parse(ofProfiles.type),
      increase: ofProfiles.increase,
    };
    const isCritical = own.some(({ severity, increase }) =>
      severity === null ? increase >= criticalIncrease : severity === "critical",
    );
    return { service, count: own.length, isCritical, worst };
  });
}

export function healthOf(alerts: AlertCounts | undefined): ServiceTrend["health"] {
  if (alerts === undefined) return "healthy";
  return alerts.isCritical ? "critical" : "warning";
}
