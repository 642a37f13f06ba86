import { type ProfileTab, profileTabs } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { deploysQuery, serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import type { ChartMarker } from "#charts/chart.ts";
import { type ComparisonSearch, markersOf } from "./model/markers.ts";
import type { Explore } from "./use-explore.ts";

const refreshMs = 60_000;
const noMarkers: readonly ChartMarker[] = [];

/** Deploys and alerts of the page's range, for the chart of a type. Charts are drawn without them until they are there. */
export function useMarkers(explore: Explore): (tab: ProfileTab) => readonly ChartMarker[] {
  const { service, time, sampleType, tags, select } = explore;
  const navigate = useNavigate();
  const marked = { service, range: time.query, refetchInterval: time.refreshMs(refreshMs) };
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
