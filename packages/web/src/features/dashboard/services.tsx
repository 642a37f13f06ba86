import type { ServiceTotals } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChartNoAxesGantt } from "lucide-react";
import type { ReactNode } from "react";
import { exactCount } from "#format/number.ts";
import { trendState, trendStateOf } from "#profile-list/cpu-trend.tsx";
import { ProfileTable } from "#profile-list/profile-table.tsx";
import { liveIntervalMs, profilesQuery, trendIntervalMs, trendsQuery } from "#profile-list/queries.ts";
import { ServiceCard, serviceCardHeightPx } from "#profile-list/service-card.tsx";
import { toEntries } from "#profile-list/service-order.ts";
import { TableSkeleton } from "#profile-list/table-skeleton.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { Message } from "#ui/content/message.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { cx, staleClass } from "#ui/cx.ts";

export const serviceGridClass = "grid grid-cols-[repeat(auto-fill,minmax(min(264px,100%),1fr))] gap-4";

export const servicesShown = 8;

interface ServicesProps {
  readonly services: readonly ServiceTotals[];
  /** Services of the range. */
  readonly total: number;
}

/** The services with alerts first; the rest is on the services page. */
export function Services({ services, total }: ServicesProps) {
  const time = useTimeRange();
  const trends = useQuery({
    ...trendsQuery(
      time.query,
      services.map(({ name }) => name),
    ),
    refetchInterval: time.refreshMs(trendIntervalMs),
  });
  const shown = toEntries(services, trends.data?.services);
  const state = trendState(trends);
  return (
    <section className="mb-8">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="font-semibold text-card tracking-tight">Services</h2>
        <Link
          to="/profiles"
          className="inline-flex items-center text-accent-text text-label hover:underline max-md:-my-3 max-md:min-h-10"
        >
          {total > servicesShown ? `View all ${exactCount(total)}` : "View All"}
        </Link>
      </div>
      <ul className={cx(serviceGridClass, staleClass(trends.isPlaceholderData))}>
        {state === "loading" ? (
          <ServiceSkeletons count={shown.length} />
        ) : (
          shown.map((entry) => (
            <li key={entry.totals.name} className="min-w-0" style={{ height: serviceCardHeightPx }}>
              <ServiceCard entry={entry} trends={trendStateOf(entry.trend, trends)} leadsTo="project" />
            </li>
          ))
        )}
      </ul>
    </section>
  );
}

/** Items of a list. */
export function ServiceSkeletons({ count }: { readonly count: number }) {
  return Array.from({ length: count }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
    <li key={at} aria-hidden style={{ height: serviceCardHeightPx }}>
      <Skeleton className="h-full rounded-card!" />
    </li>
  ));
}

const recentCount = 5;

export function recentProfilesQuery(range: RangeQuery) {
  return profilesQuery({ ...range, limit: recentCount, isWithoutMetrics: true });
}

export function RecentProfiles({ action }: { readonly action: ReactNode }) {
  const time = useTimeRange();
  const query = useQuery({
    ...recentProfilesQuery(time.query),
    refetchInterval: time.refreshMs(liveIntervalMs),
  });
  return (
    <PanelCard
      className="min-w-0"
      title="Recent Profiles"
      actions={action}
      query={query}
      loading={<TableSkeleton rows={recentCount} hasService isCompact />}
      errorTitle="Failed to load profiles. Please try again later."
      empty={({ profiles }) =>
        profiles.length === 0 ? <Message icon={ChartNoAxesGantt} title="No profiles available" /> : null
      }
    >
      {({ profiles }) => <ProfileTable profiles={profiles} hasService isCompact />}
    </PanelCard>
  );
}

export function ViewAll({
  to,
  isTable = false,
}: {
  readonly to: "/profiles" | "/alerts";
  readonly isTable?: boolean;
}) {
  return (
    <Link
      to={to}
      {...(isTable && { search: { view: "profiles" as const } })}
      className="inline-flex items-center text-accent-text text-label hover:underline max-md:-my-3 max-md:min-h-10"
    >
      View All
    </Link>
  );
}
