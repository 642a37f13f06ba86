import type { listServices, ReplyOf } from "@flamekeep/contract";
import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { AlertList } from "#alert-list/alert-list.tsx";
import { byIncrease } from "#alert-list/model.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { useHasOpenAlerts } from "#alert-list/use-open-alerts.ts";
import type { Measure } from "#format/measure.ts";
import { countMeasure, plural } from "#format/number.ts";
import { useServerStatus } from "#layout/status/server-status.ts";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { fleetTotals } from "#profile-list/model.ts";
import { liveIntervalMs, servicesQuery } from "#profile-list/queries.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Message } from "#ui/content/message.tsx";
import { Panel, PanelCard } from "#ui/content/panel.tsx";
import { Skeleton, SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import {
  RecentProfiles,
  recentProfilesQuery,
  ServiceSkeletons,
  Services,
  serviceGridClass,
  servicesShown,
  ViewAll,
} from "./services.tsx";

/** Is something wrong, where, since when: alerts first, then the services, then what arrived last. */
export function DashboardPage() {
  const time = useTimeRange();
  const query = useQuery({
    ...servicesQuery(time.query, { order: "alerts", limit: servicesShown }),
    refetchInterval: time.refreshMs(liveIntervalMs),
  });
  // The height of the alerts decides where everything below is, so the page appears with them. All calls are made at once.
  const hasAlerts = useHasOpenAlerts();
  usePrefetchQuery(recentProfilesQuery(time.query));

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-page tracking-tight">Organization Overview</h2>
        <TimeRangeControl />
      </div>
      <Panel
        query={hasAlerts ? query : { ...query, data: undefined }}
        loading={<OverviewSkeleton />}
        errorTitle="Failed to load organization summary data. Please try again later."
        empty={({ totals }) =>
          totals.services === 0 ? <OrganizationEmpty otherwise={<QuietRange range={time.label} />} /> : null
        }
      >
        {({ services, totals }) => (
          <>
            <div className={topClass}>
              <PerformanceAlerts />
              <Totals of={totals} range={time.label} />
            </div>
            <Services services={services} total={totals.services} />
            <RecentProfiles action={<ViewAll to="/profiles" isTable />} />
          </>
        )}
      </Panel>
    </>
  );
}

const topClass = "mb-8 grid gap-4 xl:grid-cols-[minmax(0,1fr)_17rem]";
const totalsClass = "grid grid-cols-3 gap-2 sm:gap-4 xl:grid-cols-1 xl:gap-3";

interface TotalsProps {
  readonly of: ReplyOf<typeof listServices>["totals"];
  readonly range: string;
}

function Totals({ of, range }: TotalsProps) {
  const totals = fleetTotals(of);
  return (
    <dl className={totalsClass}>
      <OpenAlerts />
      <Total label="Services" value={countMeasure(totals.services)} detail={range} />
      <Total
        label="Profiles"
        value={countMeasure(totals.profiles)}
        detail={
          totals.lastActivity && (
            <>
              <span className="max-sm:sr-only">Last upload </span>
              <RelativeTime at={totals.lastActivity} />
            </>
          )
        }
      />
    </dl>
  );
}

interface TotalProps {
  readonly label: string;
  readonly value: Measure;
  readonly detail: ReactNode;
}

/** A tile. Next to the alerts, where height is scarce, it is a line with the number at its end. */
function Total({ label, value, detail }: TotalProps) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface p-3 sm:p-4 xl:grid xl:grid-cols-[1fr_auto] xl:content-center xl:px-4 xl:py-1.5">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="mt-1 font-semibold text-stat tracking-tight xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:mt-0 xl:self-center">
        <Quantity value={value} />
      </dd>
      <dd className="mt-1 truncate text-label text-muted xl:col-start-1 xl:mt-0">{detail}</dd>
    </div>
  );
}

function OpenAlerts() {
  const { data: status } = useServerStatus();
  const { data: services } = useQuery({
    ...alertsQuery("open"),
    select: ({ alerts }) =>
      new Set(alerts.filter(({ is_muted }) => !is_muted).map(({ service }) => service)).size,
  });
  if (status === undefined)
    return <Total label="Open alerts" value={{ number: "–", unit: "" }} detail="unknown" />;
  const count = status.open_alerts;
  return (
    <Total
      label="Open alerts"
      value={countMeasure(count)}
      detail={
        count === 0 ? (
          "None open"
        ) : (
          <span className="text-critical-text">
            {services === undefined ? "Open now" : `In ${plural(services, "service")}`}
          </span>
        )
      }
    />
  );
}

function QuietRange({ range }: { readonly range: string }) {
  return (
    <Message icon={CircleCheck} title="No organization summary data available">
      <p>{range}: no data received. Choose a longer time range, or check that your services are sending.</p>
    </Message>
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading overview">
      <div className={topClass}>
        <Skeleton className="h-48 rounded-card!" />
        <div className={totalsClass}>
          {["a", "b", "c"].map((key) => (
            <Skeleton key={key} className="h-[6.75rem] rounded-card! xl:h-14" />
          ))}
        </div>
      </div>
      <ul className={serviceGridClass}>
        <ServiceSkeletons count={4} />
      </ul>
    </div>
  );
}

const shownCount = 5;

/** The worst open alerts that are not muted. */
function PerformanceAlerts() {
  const query = useQuery({
    ...alertsQuery("open"),
    select: ({ alerts }) => {
      const heard = alerts.filter((alert) => !alert.is_muted);
      return { worst: byIncrease(heard).slice(0, shownCount), muted: alerts.length - heard.length };
    },
  });
  return (
    <PanelCard
      className="min-w-0"
      title="Performance Alerts"
      actions={<ViewAll to="/alerts" />}
      query={query}
      loading={
        <SkeletonBlocks
          label="Loading alerts"
          count={3}
          className="h-16"
          layoutClass="flex flex-col gap-4 p-4 pt-1"
        />
      }
      errorTitle="Failed to load alerts. Please try again later."
      empty={({ worst, muted }) => (worst.length === 0 ? <NoAlerts muted={muted} /> : null)}
    >
      {({ worst }) => <AlertList alerts={worst} />}
    </PanelCard>
  );
}

/** A line: nothing to do must not push the services off the screen. */
function NoAlerts({ muted }: { readonly muted: number }) {
  return (
    <p className="flex items-center gap-2 px-4 pb-4">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-ok-text" strokeWidth={1.75} />
      {muted === 0 ? "No alerts detected" : `No open alerts, ${muted} muted`}
    </p>
  );
}
