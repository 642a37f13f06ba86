import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { countMeasure } from "#format/number.ts";
import { useServerStatus } from "#layout/status/server-status.ts";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { fleetTotals, typeShares } from "#profile-list/model.ts";
import { liveIntervalMs, servicesQuery } from "#profile-list/queries.ts";
import { ServiceCard, serviceGridClass } from "#profile-list/service-card.tsx";
import { TypeBar } from "#profile-list/type-bar.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Stat } from "#ui/content/stat.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { PerformanceAlerts } from "./performance-alerts.tsx";
import { RecentProfiles } from "./recent-profiles.tsx";
import { ViewAll } from "./view-all.tsx";

export function DashboardPage() {
  const time = useTimeRange();
  const query = useQuery({ ...servicesQuery(time.query), refetchInterval: time.refreshMs(liveIntervalMs) });

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-page tracking-tight">Organization Overview</h2>
        <TimeRangeControl />
      </div>
      <Panel
        query={query}
        loading={<OverviewSkeleton />}
        errorTitle="Failed to load organization summary data. Please try again later."
        empty={({ services }) =>
          services.length === 0 ? <OrganizationEmpty otherwise={<QuietRange range={time.label} />} /> : null
        }
      >
        {({ services }) => <Overview services={services} label={time.label} />}
      </Panel>
    </>
  );
}

interface OverviewProps {
  readonly services: Parameters<typeof fleetTotals>[0];
  readonly label: string;
}

function Overview({ services, label }: OverviewProps) {
  const totals = fleetTotals(services);
  return (
    <>
      <dl className="mb-8 grid grid-cols-3 gap-2 sm:gap-4 xl:grid-cols-[1fr_1fr_1fr_1.6fr]">
        <Stat label="Services" value={countMeasure(totals.services)} detail={label} />
        <Stat
          label="Profiles"
          value={countMeasure(totals.profiles)}
          detail={
            totals.lastActivity && (
              <>
                <span className="max-sm:sr-only">last one </span>
                <RelativeTime at={totals.lastActivity} />
              </>
            )
          }
        />
        <OpenAlerts />
        <div className="rounded-card border border-line bg-surface p-4 max-xl:col-span-3">
          <dt className="mb-3 text-label text-muted">Profiles by type</dt>
          <dd>
            <TypeBar shares={typeShares(totals.byType)} />
          </dd>
        </div>
      </dl>
      <section className="mb-8">
        <div className="mb-3 flex items-baseline justify-between gap-4">
          <h2 className="font-semibold text-card tracking-tight">Services</h2>
          <ViewAll to="/profiles" />
        </div>
        <div className={serviceGridClass}>
          {services.map((service) => (
            <ServiceCard key={service.name} service={service} leadsTo="project" />
          ))}
        </div>
      </section>
      <div className="grid gap-4 min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <PerformanceAlerts />
        <RecentProfiles action={<ViewAll to="/profiles" isTable />} />
      </div>
    </>
  );
}

function OpenAlerts() {
  const { data: status } = useServerStatus();
  const count = status?.open_alerts ?? 0;
  return (
    <Stat
      label="Open alerts"
      value={status ? countMeasure(count) : { number: "–", unit: "" }}
      detail={count === 0 ? "none open" : <span className="text-critical-text">needs a look</span>}
    />
  );
}

function QuietRange({ range }: { readonly range: string }) {
  return (
    <Message icon={CircleCheck} title="No profiles available">
      <p>
        {range}: nothing was received. Choose a longer time range, or check that your services are sending.
      </p>
    </Message>
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading overview">
      <div className="mb-8 grid grid-cols-3 gap-2 sm:gap-4 xl:grid-cols-[1fr_1fr_1fr_1.6fr]">
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card! max-xl:col-span-3" />
      </div>
      <div className={serviceGridClass}>
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-36 rounded-card!" />
        ))}
      </div>
    </div>
  );
}
