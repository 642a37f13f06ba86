import type { Alert, Deploy, ProfileTab } from "@flamekeep/contract";
import { alertMarker, deployMarker } from "#alert-list/chart-markers.ts";
import type { ChartMarker } from "#charts/chart.ts";
import type { TimeSpan } from "./selection.ts";

interface Events {
  readonly deploys: readonly Deploy[];
  readonly alerts: readonly Alert[];
}

/** Deploys, and the alerts of a type. Opening one selects what came after it, up to the end of the chart or of the alert. */
export function markersOf(
  { deploys, alerts }: Events,
  {
    tab,
    endMs,
    onSelect,
  }: { readonly tab: ProfileTab; readonly endMs: number; readonly onSelect: (span: TimeSpan) => void },
): ChartMarker[] {
  const select = (fromMs: number, toMs = endMs) =>
    fromMs < toMs ? { onOpen: () => onSelect({ fromMs, toMs: Math.min(toMs, endMs) }) } : {};
  return [
    ...deploys.map(
      (deploy): ChartMarker => ({
        ...deployMarker(deploy),
        ...select(Date.parse(deploy.timestamp)),
      }),
    ),
    ...alerts
      .filter((alert) => alert.profile_type === tab)
      .map((alert): ChartMarker => {
        const endedMs = alert.resolved_at === null ? undefined : Date.parse(alert.resolved_at);
        return {
          ...alertMarker(alert),
          ...select(Date.parse(alert.began_at ?? alert.current_range.from), endedMs),
        };
      }),
  ];
}
