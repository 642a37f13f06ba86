import type { Alert, ProfileType } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertMarker, deployComparison, deployMarker } from "#alert-list/chart-markers.ts";
import { deploysQuery, serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import { alertComparison, alertPage, isOfRequests } from "#alert-list/model.ts";
import type { ChartMarker } from "#charts/model/chart.ts";
import type { ProjectTime } from "./project-time.ts";

export interface MarkedChart {
  /** Whether the alert is about the values of the chart. */
  readonly isAbout: (alert: Alert) => boolean;
  /** The profiles that show what a deploy changed. */
  readonly evidence: ProfileType;
}

/** New versions, and the alerts about the values of a chart. Keep `chart` stable: a new one redraws the chart. */
export function useMarkers({ scope }: ProjectTime, chart: MarkedChart): readonly ChartMarker[] {
  const navigate = useNavigate();
  const { data: deploys } = useQuery(deploysQuery(scope));
  const { data: alerts } = useQuery(serviceAlertsQuery(scope));
  return useMemo(
    () => [
      ...(deploys?.deploys ?? []).map((deploy, at, all) => ({
        ...deployMarker(deploy),
        actions: [
          {
            label: "Compare with the time before this deploy",
            shortLabel: "Compare",
            onSelect: () => {
              const { service, range } = scope;
              const endMs = range.to === "now" ? Date.now() : Date.parse(range.to);
              const search = deployComparison(all, at, { service, type: chart.evidence, endMs });
              void navigate({ to: "/compare", search });
            },
          },
        ],
      })),
      ...(alerts?.alerts ?? []).filter(chart.isAbout).map((alert) => ({
        ...alertMarker(alert),
        actions: [
          {
            label: isOfRequests(alert) ? "Show its requests" : "Show its profiles",
            shortLabel: isOfRequests(alert) ? "Requests" : "Profiles",
            onSelect: () => void navigate(alertPage(alert, Date.now())),
          },
          {
            label: "Compare before and after",
            shortLabel: "Compare",
            onSelect: () => void navigate(alertComparison(alert)),
          },
        ],
      })),
    ],
    [deploys, alerts, chart, scope, navigate],
  );
}
