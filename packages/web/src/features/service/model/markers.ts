import type { Alert, Deploy, ProfileTab } from "@flamekeep/contract";
import type { ChartMarker } from "#charts/chart.ts";
import { measureText } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { changeMeasure } from "#format/number.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { nameOf } from "./lines.ts";
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
    ...deploys.map(({ timestamp, tag, value, previous }): ChartMarker => {
      const atMs = Date.parse(timestamp);
      return {
        atMs,
        kind: "deploy",
        label: `Deploy: ${tag} ${value}`,
        details: `Before: ${previous}`,
        ...select(atMs),
      };
    }),
    ...alerts
      .filter((alert) => alert.profile_type === tab)
      .map((alert): ChartMarker => {
        const atMs = Date.parse(alert.timestamp);
        const endedMs = alert.resolved_at === null ? undefined : Date.parse(alert.resolved_at);
        return {
          atMs,
          kind: "alert",
          label: `Alert: ${alertText(alert)}`,
          details: alert.status === "open" ? "Open" : "Resolved",
          ...select(Date.parse(alert.current_range.from), endedMs),
        };
      }),
  ];
}

/** `CPU, CPU time +69.4 %: main.hashPrices` */
function alertText(alert: Alert): string {
  const change = measureText(changeMeasure(alert.percent_change));
  const grown = alert.functions[0]?.name;
  const what = `${profileTypeLabel(alert.profile_type)}, ${sampleTypeLabel(nameOf(alert.sample_type))} ${change}`;
  return grown === undefined ? what : `${what}, most in ${grown}`;
}
