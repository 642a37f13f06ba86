import { type Alert, type Deploy, type ProfileTab, profileTabs } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertMarker, deployComparison, deployMarker } from "#alert-list/chart-markers.ts";
import { deploysQuery, serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import { alertComparison } from "#alert-list/model.ts";
import type { ChartMarker, MarkerAction } from "#charts/model/chart.ts";
import type { TimeSpan } from "#charts/model/series.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import type { Explore } from "./use-explore.ts";

const noMarkers: readonly ChartMarker[] = [];

/** Deploys and alerts of the page's range, for the chart of a type. Charts are drawn without them until they are there. */
export function useMarkers(explore: Explore): (tab: ProfileTab) => readonly ChartMarker[] {
  const { service, time, sampleType, tags, select } = explore;
  const navigate = useNavigate();
  const marked = { service, range: time.query, refetchInterval: time.refreshMs(refreshSteps.graphMs) };
  const { data: deployed } = useQuery(deploysQuery(marked));
  const { data: alerted } = useQuery(serviceAlertsQuery(marked));
  const byTab = useMemo(() => {
    const events = { deploys: deployed?.deploys ?? [], alerts: alerted?.alerts ?? [] };
    if (events.deploys.length + events.alerts.length === 0) return undefined;
    const endMs = time.range.kind === "between" ? time.range.toMs : Date.now();
    const chart = {
      endMs,
      scope: { service, sampleType, tags },
      onSelect: select,
      onCompare: (search: ComparisonSearch) => void navigate({ to: "/compare", search }),
    };
    return new Map(profileTabs.map((tab) => [tab, markersOf(events, { ...chart, tab })] as const));
  }, [deployed, alerted, time.range, select, service, sampleType, tags, navigate]);
  return (tab) => byTab?.get(tab) ?? noMarkers;
}

interface Events {
  readonly deploys: readonly Deploy[];
  readonly alerts: readonly Alert[];
}

type ComparisonSearch = ReturnType<typeof deployComparison> | ReturnType<typeof alertComparison>["search"];

interface MarkedChart {
  readonly tab: ProfileTab;
  readonly endMs: number;
  /** The subject of a comparison. */
  readonly scope: Pick<Parameters<typeof deployComparison>[2], "service" | "sampleType" | "tags">;
  readonly onSelect: (span: TimeSpan) => void;
  readonly onCompare: (search: ComparisonSearch) => void;
}

/**
 * Deploys, and the alerts of a type, or of all. Each selects what came after it, up to the end of the chart or of the alert, and is
 * compared with the time before it.
 */
export function markersOf({ deploys, alerts }: Events, chart: MarkedChart): ChartMarker[] {
  const { tab } = chart;
  return [
    ...deploys.map((deploy, at) => ({ ...deployMarker(deploy), actions: deployActions(deploys, at, chart) })),
    ...alerts
      .filter((alert) => tab === "all" || alert.profile_type === tab)
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
    {
      label: "Compare with the time before this deploy",
      shortLabel: "Compare",
      onSelect: () => onCompare(search),
    },
  ];
}

function alertActions(alert: Alert, { endMs, onSelect, onCompare }: MarkedChart): MarkerAction[] {
  const fromMs = Date.parse(alert.began_at ?? alert.current_range.from);
  const endedMs = alert.resolved_at === null ? endMs : Date.parse(alert.resolved_at);
  const toMs = Math.min(endMs, endedMs);
  const { search } = alertComparison(alert);
  return [
    ...(fromMs < toMs ? [showSince({ fromMs, toMs }, onSelect)] : []),
    { label: "Compare before and after", shortLabel: "Compare", onSelect: () => onCompare(search) },
  ];
}

function showSince(span: TimeSpan, onSelect: MarkedChart["onSelect"]): MarkerAction {
  return { label: "Show the time since", shortLabel: "Show since", onSelect: () => onSelect(span) };
}
