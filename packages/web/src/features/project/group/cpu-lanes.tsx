import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertMarker } from "#alert-list/chart-markers.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { Lanes } from "#charts/lanes/lanes.tsx";
import { wholeOf } from "#profile-series/lanes-of-service.ts";
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

/** CPU over time, a lane for each service, with the open alerts. A drag sets the range, a click opens the service. */
export function CpuLanes({ name, rows, trends }: CpuLanesProps) {
  const time = useTimeRange();
  const navigate = useNavigate();
  const isWide = useIsWide();
  const { data: alerts } = useQuery(alertsQuery("open"));
  const lanes = useMemo(() => cpuLanes(rows, trends), [rows, trends]);
  const markers = useMemo(() => {
    const services = new Set(rows.map(({ service }) => service));
    return (alerts?.alerts ?? []).filter(({ service }) => services.has(service)).map(alertMarker);
  }, [alerts, rows]);
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
