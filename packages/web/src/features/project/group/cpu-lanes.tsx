import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertOfService, deployOfService } from "#alert-list/chart-markers.ts";
import { deploysQuery } from "#alert-list/marker-queries.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { type Lane, Lanes } from "#charts/lanes/lanes.tsx";
import { wholeOf } from "#profile-series/lanes-of-service.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { betweenRange } from "#time-range/view-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { useIsWide } from "#ui/hooks/use-media.ts";
import { cpuLanes, type GroupReplies, type ServiceRow } from "./model.ts";

interface CpuLanesProps {
  /** The group. */
  readonly name: string;
  readonly rows: readonly ServiceRow[];
  readonly trends: GroupReplies["trends"];
}

/** CPU over time, a lane for each service, with deploys and open alerts. A drag sets the range, a click opens the service. */
export function CpuLanes({ name, rows, trends }: CpuLanesProps) {
  const time = useTimeRange();
  const navigate = useNavigate();
  const isWide = useIsWide();
  const lanes = useMemo(() => cpuLanes(rows, trends), [rows, trends]);
  const markers = useMarkers(rows, lanes);
  if (lanes.length === 0) return null;
  return (
    <Card className="min-w-0 px-1 pb-2">
      <CardHeader
        title="CPU over time"
        detail="Each line has its own scale. Drag to zoom in, select a service to open it."
      />
      <Lanes
        label={`CPU of the services of ${name} over time`}
        {...{ lanes, ...wholeOf(lanes), markers }}
        columns={isWide && lanes.length > 2 ? 3 : 1}
        zone={time.zone}
        selected={undefined}
        before={undefined}
        isMarkingBefore={false}
        onSelect={(_, span) => {
          const range = span && betweenRange(span.fromMs, Math.min(span.toMs, Date.now()));
          if (range !== undefined) time.change(range);
        }}
        chosen={undefined}
        onChoose={(id) => {
          if (!rows.some(({ service }) => service === id)) return;
          void navigate({
            to: "/profiles/service/$serviceName/$type",
            params: { serviceName: id, type: "cpu" },
          });
        }}
      />
    </Card>
  );
}

/** The deploys of the services with a lane, and the open alerts of the group. */
function useMarkers(rows: readonly ServiceRow[], lanes: readonly Lane[]) {
  const time = useTimeRange();
  const { data: alerts } = useQuery(alertsQuery("open"));
  const services = useMemo(() => new Set(rows.map(({ service }) => service)), [rows]);
  const drawn = useMemo(() => lanes.map(({ id }) => id).filter((id) => services.has(id)), [lanes, services]);
  const deploys = useQueries({
    queries: drawn.map((service) =>
      deploysQuery({ service, range: time.query, refetchInterval: time.refreshMs(refreshSteps.graphMs) }),
    ),
    combine: (found) => found.map(({ data }) => data?.deploys ?? []),
  });
  return useMemo(
    () => [
      ...deploys.flatMap((each, at) => each.map((deploy) => deployOfService(drawn[at] ?? "", deploy))),
      ...(alerts?.alerts ?? []).filter(({ service }) => services.has(service)).map(alertOfService),
    ],
    [deploys, drawn, alerts, services],
  );
}
