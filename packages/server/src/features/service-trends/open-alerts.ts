import { ProfileType } from "@flamekeep/contract";
import type { Selectable } from "kysely";
import type { Database } from "#store/row/row-store.ts";

type OpenAlert = Pick<Selectable<Database["alerts"]>, "service" | "type" | "sampleType" | "increase">;

/** Reads the open alerts of an organization that are not muted. */
export type ReadOpenAlerts = (orgId: string) => Promise<readonly OpenAlert[]>;

export interface OpenAlerts {
  readonly service: string;
  readonly count: number;
  /** The largest increase, which is a fraction. */
  readonly increase: number;
  /** The alert about profiles with the largest increase. */
  readonly worst: { readonly type: ProfileType; readonly increase: number } | undefined;
}

export function openAlertsByService(alerts: readonly OpenAlert[]): OpenAlerts[] {
  const sorted = alerts.toSorted((a, b) => b.increase - a.increase);
  return [...Map.groupBy(sorted, ({ service }) => service)].map(([service, own]) => {
    // Alerts about requests have the type of their evidence, which did not rise.
    const ofProfiles = own.find(({ sampleType }) => !sampleType.startsWith("http_"));
    const worst = ofProfiles && {
      type: ProfileType.parse(ofProfiles.type),
      increase: ofProfiles.increase,
    };
    return { service, count: own.length, increase: own[0]!.increase, worst };
  });
}
