import type { HttpAggregates, RequestOrder } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { AddToDashboard } from "#add-to-dashboard/add-to-dashboard.tsx";
import { panelsOfRequests } from "#add-to-dashboard/panel-names.ts";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import { unitMeasure, unitText } from "#charts/model/units.ts";
import { percentText, plural } from "#format/number.ts";
import { endpointsQuery, PathLink } from "#http-routes/routes-of-service.tsx";
import { BlockSkeleton, Empty, type Tile, Tiles } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { Badge } from "#ui/content/badge.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { Errors } from "./errors.tsx";
import {
  type EndpointRow,
  endpointRows,
  failedRequests,
  isGoodSuccess,
  leastReliable,
  mostRequested,
  slowest,
  successRate,
} from "./model.ts";

const analyticsTabs = ["popular", "performance", "errors", "reliability"] as const;
export type AnalyticsTab = (typeof analyticsTabs)[number];

const tabLabels: Record<AnalyticsTab, string> = {
  popular: "Popular",
  performance: "Performance",
  errors: "Errors",
  reliability: "Reliability",
};

interface HttpAnalyticsProps {
  readonly time: ProjectTime;
  readonly tab: AnalyticsTab;
  readonly onTab: (tab: AnalyticsTab) => void;
}

export function HttpAnalytics({ time, tab, onTab }: HttpAnalyticsProps) {
  const query = useQuery(endpointsQuery(time.scope, "path"));
  return (
    <PanelCard
      className="min-w-0"
      title="HTTP Performance Analytics"
      detail="Endpoints of the service"
      actions={<AddToDashboard panels={panelsOfRequests(time.scope.service)} />}
      query={query}
      loading={<BlockSkeleton label="Loading HTTP statistics" className="h-80" />}
      errorTitle="Failed to load HTTP statistics"
      empty={({ total }) => (total.count === 0 ? <Empty title="No HTTP metrics data available" /> : null)}
    >
      {({ aggregations, total }) => (
        <>
          <Tiles tiles={tilesOf(total)} />
          <div className="px-4 pt-1 pb-4">
            <Tabs
              label="Endpoints"
              value={tab}
              items={analyticsTabs.map((value) => ({ value, label: tabLabels[value] }))}
              onChange={onTab}
            >
              {tab === "errors" ? (
                <Errors time={time} rows={endpointRows(aggregations)} />
              ) : (
                <Endpoints tab={tab} rows={endpointRows(aggregations)} service={time.scope.service} />
              )}
            </Tabs>
          </div>
        </>
      )}
    </PanelCard>
  );
}

function tilesOf(total: HttpAggregates): Tile[] {
  const rate = successRate(total);
  const seconds = (value: number | null) => unitMeasure(value, "seconds");
  const percent = (value: number | null) => unitMeasure(value === null ? null : value * 100, "percent");
  return [
    { label: "Total Requests", value: unitMeasure(total.count, "count") },
    { label: "Avg Response", value: seconds(total.avg_duration) },
    { label: "P95", value: seconds(total.p95_duration) },
    { label: "P99", value: seconds(total.p99_duration) },
    {
      label: "Success Rate",
      value: percent(rate),
      detail: rate !== null && (
        <Badge tone={isGoodSuccess(rate) ? "neutral" : "critical"}>
          {isGoodSuccess(rate) ? "95% or higher" : "below 95%"}
        </Badge>
      ),
    },
    { label: "Error Rate", value: percent(total.error_rate) },
  ];
}

interface EndpointsProps {
  readonly tab: Exclude<AnalyticsTab, "errors">;
  readonly rows: readonly EndpointRow[];
  readonly service: string;
}

const noFailures = "All endpoints have excellent success rates!";

function Endpoints({ tab, rows, service }: EndpointsProps) {
  if (tab === "popular") {
    const popular = mostRequested(rows).map((row) => ({
      ...endpointRow(row, "latest", service),
      amount: row.count,
      value: plural(row.count, "request"),
      detail: `${unitText(row.avg_duration, "seconds")} on average`,
    }));
    return <RankedPaths title="Paths with the most requests" rows={popular} />;
  }
  if (tab === "performance") {
    const slow = slowest(rows).map((row) => ({
      ...endpointRow(row, "slowest", service),
      amount: row.p95_duration ?? 0,
      value: `p95 ${unitText(row.p95_duration, "seconds")}`,
      detail: `${plural(row.count, "request")} · p99 ${unitText(row.p99_duration, "seconds")}`,
    }));
    return <RankedPaths title="Slowest paths by p95 duration" rows={slow} />;
  }
  const unreliable = leastReliable(rows).map((row) => ({
    ...endpointRow(row, "errors", service),
    amount: row.error_rate ?? 0,
    value: percentText((row.error_rate ?? 0) * 100),
    detail: `${plural(failedRequests(row), "error")} in ${plural(row.count, "request")}`,
    color: "critical" as const,
  }));
  if (unreliable.length === 0) return <Empty title={noFailures} icon={CircleCheck} />;
  return <RankedPaths title="Paths with the highest error rate" rows={unreliable} />;
}

/** The title says by what the paths are sorted. */
function RankedPaths({ title, rows }: { readonly title: string; readonly rows: readonly BarRow[] }) {
  return (
    <>
      <h3 className="mb-2 font-medium text-label text-muted">{title}</h3>
      <BarList label={title} rows={rows} />
    </>
  );
}

function endpointRow({ name }: EndpointRow, order: RequestOrder, service: string) {
  return {
    id: name,
    name: <PathLink service={service} path={name} order={order} />,
    color: "series-2" as const,
  };
}
