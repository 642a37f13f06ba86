import type { Alert, Deploy, ProfileTab } from "@flamekeep/contract";
import { alertMarker, deployComparison, deployMarker } from "#alert-list/chart-markers.ts";
import { alertComparison } from "#alert-list/model.ts";
import type { ChartMarker, MarkerAction } from "#charts/chart.ts";
import type { TimeSpan } from "./selection.ts";

interface Events {
  readonly deploys: readonly Deploy[];
  readonly alerts: readonly Alert[];
}

export type ComparisonSearch =
  | ReturnType<typeof deployComparison>
  | ReturnType<typeof alertComparison>["search"];

interface MarkedChart {
  readonly tab: ProfileTab;
  readonly endMs: number;
  /** The subject of a comparison. */
  readonly scope: Pick<Parameters<typeof deployComparison>[2], "service" | "sampleType" | "tags">;
  readonly onSelect: (span: TimeSpan) => void;
  readonly onCompare: (search: ComparisonSearch) => void;
}

/**
 * Deploys, and the alerts of a type. Each selects what came after it, up to the end of the chart or of the alert, and is
 * compared with the time before it.
 */
export function markersOf({ deploys, alerts }: Events, chart: MarkedChart): ChartMarker[] {
  const { tab } = chart;
  return [
    ...deploys.map((deploy, at) => ({ ...deployMarker(deploy), actions: deployActions(deploys, at, chart) })),
    ...alerts
      .filter((alert) => alert.profile_type === tab)
      .map((alert) => ({ ...alertMarker(alert), actions: alertActions(alert, chart) })),
  ];
}

function deployActions(
  deploys: readonly Deploy[],
  at: number,
  { tab, endMs, scope, onSelect, onCompare }: MarkedChart,
): MarkerAction[] {
  const fromMs = Date.parse(deploys[at]!.timestamp);
  if (fromMs >= endMs) return [];
  const actions = [showSince({ fromMs, toMs: endMs }, onSelect)];
  if (tab === "all") return actions;
  const search = deployComparison(deploys, at, { ...scope, type: tab, endMs });
  return [
    ...actions,
    { label: "Compare with the time before this deploy", onSelect: () => onCompare(search) },
  ];
}

function alertActions(alert: Alert, { endMs, onSelect, onCompare }: MarkedChart): MarkerAction[] {
  const fromMs = Date.parse(alert.began_at ?? alert.current_range.from);
  const endedMs = alert.resolved_at === null ? endMs : Date.parse(alert.resolved_at);
  const toMs = Math.min(endMs, endedMs);
  const { search } = alertComparison(alert);
  return [
    ...(fromMs < toMs ? [showSince({ fromMs, toMs }, onSelect)] : []),
    { label: "Compare before and after", onSelect: () => onCompare(search) },
  ];
}

function showSince(span: TimeSpan, onSelect: MarkedChart["onSelect"]): MarkerAction {
  return { label: "Show the time since", onSelect: () => onSelect(span) };
}
