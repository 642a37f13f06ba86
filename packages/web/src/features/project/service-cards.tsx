import type { Alert, Timeline } from "@flamekeep/contract";
import type { TimelineField } from "@flamekeep/contract/profile-types";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChartNoAxesGantt, ChevronRight, CircleCheck } from "lucide-react";
import { AlertList } from "#alert-list/alert-list.tsx";
import { byIncrease } from "#alert-list/model.ts";
import { typeColor } from "#charts/model/colours.ts";
import { type ChartUnit, unitText } from "#charts/model/units.ts";
import { Sparkline } from "#charts/sparkline.tsx";
import { ProfileTable } from "#profile-list/profile-table.tsx";
import { profilesQuery } from "#profile-list/queries.ts";
import { TableSkeleton } from "#profile-list/table-skeleton.tsx";
import { coresValues, lastValue, timelineValues } from "#project/parts/timeline.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { BlockSkeleton, Empty } from "./parts/parts.tsx";
import type { Scope } from "./parts/queries.ts";

function of(field: TimelineField) {
  return (timeline: Timeline) => timelineValues(timeline, field);
}

const rows: readonly {
  readonly type: "cpu" | "memory" | "goroutine" | "mutex" | "block";
  readonly valuesOf: (timeline: Timeline) => readonly (number | null)[];
  readonly unit: ChartUnit;
  readonly measures: string;
}[] = [
  { type: "cpu", valuesOf: coresValues, unit: "cores", measures: "CPU" },
  { type: "memory", valuesOf: of("memory_bytes"), unit: "bytes", measures: "Heap in use" },
  { type: "goroutine", valuesOf: of("goroutine_count"), unit: "count", measures: "Goroutines" },
  { type: "mutex", valuesOf: of("mutex_usage"), unit: "seconds", measures: "Waiting for mutexes" },
  { type: "block", valuesOf: of("block_usage"), unit: "seconds", measures: "Blocked" },
];

function hasValues(timeline: Timeline): boolean {
  return rows.some(({ valuesOf }) => lastValue(valuesOf(timeline)) !== null);
}

interface ServicePanelProps {
  readonly service: string;
  readonly timeline: Timeline | undefined;
}

/** The profile types of the service, each with its latest value and the way to its flame graph. */
export function ServicePanel({ service, timeline }: ServicePanelProps) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Service"
        detail="Latest values. Select one for its flame graph."
        actions={
          <Link
            to="/profiles/service/$serviceName"
            params={{ serviceName: service }}
            className={buttonClass("secondary", "sm")}
          >
            All profiles
          </Link>
        }
      />
      {timeline !== undefined && !hasValues(timeline) && (
        <p className="border-line border-t px-4 py-3 text-muted">No service data available</p>
      )}
      <ul className="grid divide-line border-line border-t max-lg:divide-y lg:grid-cols-5 lg:divide-x">
        {rows.map(({ type, valuesOf, unit, measures }) => {
          const values = timeline && valuesOf(timeline);
          const latest = values === undefined ? null : lastValue(values);
          return (
            <li key={type} className="min-w-0">
              <Link
                to="/profiles/service/$serviceName/$type"
                params={{ serviceName: service, type }}
                className="group grid grid-cols-[1fr_auto] gap-x-3 px-4 py-3 transition-colors duration-150 hover:bg-surface-2/60"
              >
                <span className="flex items-center gap-2">
                  <ProfileTypeBadge type={type} />
                  <ChevronRight
                    aria-hidden
                    className="size-3.5 text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
                  />
                </span>
                <span data-quantity className="font-semibold">
                  {timeline === undefined ? <Skeleton className="h-5 w-14" /> : unitText(latest, unit)}
                </span>
                <span className="col-span-2 mt-2 block h-7">
                  {latest !== null && values && (
                    <Sparkline
                      label={`${measures} over time, last ${unitText(latest, unit)}`}
                      values={values}
                      color={typeColor(type)}
                    />
                  )}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

interface ProjectAlertsProps {
  readonly service: string;
  readonly query: UseQueryResult<{ alerts: Alert[] }>;
}

/** Alerts that were open in the range, open ones first. */
export function ProjectAlerts({ service, query }: ProjectAlertsProps) {
  return (
    <PanelCard
      className="min-w-0"
      title="Performance Alerts"
      actions={
        <Link to="/alerts" search={{ service }} className={buttonClass("secondary", "sm")}>
          View All
        </Link>
      }
      query={query}
      loading={<BlockSkeleton label="Loading alerts" className="h-20" />}
      errorTitle="Failed to load alerts. Please try again later."
      empty={({ alerts }) =>
        alerts.length === 0 ? <Empty title="No alerts detected" icon={CircleCheck} /> : null
      }
    >
      {({ alerts }) => <AlertList alerts={openFirst(alerts)} />}
    </PanelCard>
  );
}

function openFirst(alerts: readonly Alert[]): Alert[] {
  const sorted = byIncrease(alerts);
  return [
    ...sorted.filter(({ status }) => status === "open"),
    ...sorted.filter(({ status }) => status !== "open"),
  ];
}

const shown = 5;

export function RecentProfiles({ scope: { service, range, refetchInterval } }: { readonly scope: Scope }) {
  const query = useQuery({
    ...profilesQuery({ service, ...range, limit: shown, isWithoutMetrics: true }),
    refetchInterval,
  });
  return (
    <PanelCard
      className="min-w-0"
      title="Recent Profiles"
      query={query}
      loading={<TableSkeleton rows={shown} hasService={false} />}
      errorTitle="Failed to load profiles. Please try again later."
      empty={({ profiles }) =>
        profiles.length === 0 ? <Empty title="No profiles available" icon={ChartNoAxesGantt} /> : null
      }
    >
      {({ profiles }) => <ProfileTable profiles={profiles} hasService={false} />}
    </PanelCard>
  );
}
