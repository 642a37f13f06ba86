import { type listServices, type ReplyOf, type ServiceOrder, serviceOrders } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CircleAlert, SearchX, Server } from "lucide-react";
import { useMemo } from "react";
import { useIsLoadingDemo } from "#api/status-query.ts";
import { countMeasure, exactCount, plural } from "#format/number.ts";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { type TrendState, trendStateOf } from "#profile-list/cpu-trend.tsx";
import { fleetTotals, typeShares } from "#profile-list/model.ts";
import {
  liveIntervalMs,
  servicesPageSize,
  servicesQuery,
  trendIntervalMs,
  trendsQuery,
} from "#profile-list/queries.ts";
import { ServiceCard, serviceCardHeightPx } from "#profile-list/service-card.tsx";
import { type ServiceEntry, toEntries } from "#profile-list/service-order.ts";
import { ShowLatest } from "#profile-list/show-latest.tsx";
import { TypeBar } from "#profile-list/type-bar.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Card } from "#ui/content/card.tsx";
import { ListPages } from "#ui/content/list-pages.tsx";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Stat } from "#ui/content/stat.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { VirtualGrid } from "#ui/content/virtual-grid.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { Select } from "#ui/controls/select.tsx";
import { staleClass } from "#ui/cx.ts";
import { useSearchText } from "#ui/hooks/search-text.ts";
import { useLastError } from "#ui/hooks/use-last-error.ts";

export function ServicesView() {
  const time = useTimeRange();
  const { q, sort = "name", after } = useSearch({ from: "/protected/profiles" });
  const page = { q, order: sort, limit: servicesPageSize, cursor: after };
  const query = useQuery({
    ...servicesQuery(time.query, page),
    refetchInterval: time.refreshMs(liveIntervalMs),
  });
  const services = query.data?.services;
  const trends = useQuery({
    ...trendsQuery(time.query, services?.map(({ name }) => name) ?? []),
    refetchInterval: time.refreshMs(trendIntervalMs),
  });
  const error = useLastError(query);
  const entries = useMemo(
    () => toEntries(services ?? [], trends.data?.services),
    [services, trends.data?.services],
  );
  if (query.data === undefined) {
    return error === null ? (
      <ServicesSkeleton />
    ) : (
      <ServicesFailure error={error} onRetry={() => void query.refetch()} />
    );
  }
  if (query.data.totals.services === 0)
    return <OrganizationEmpty otherwise={<NoServices range={time.label} />} />;
  const isStale = query.isPlaceholderData || trends.isPlaceholderData;
  return (
    <div className={staleClass(isStale)}>
      <Totals totals={query.data.totals} range={time.label} />
      <ServiceList
        reply={query.data}
        entries={entries}
        stateOf={({ trend }) => trendStateOf(trend, trends)}
      />
    </div>
  );
}

type Reply = ReplyOf<typeof listServices>;

interface TotalsProps {
  readonly totals: Reply["totals"];
  readonly range: string;
}

function Totals({ totals: fleet, range }: TotalsProps) {
  const totals = fleetTotals(fleet);
  const isLoading = useIsLoadingDemo();
  return (
    <dl className={servicesTotalsClass}>
      <Stat label="Services" value={countMeasure(totals.services)} detail={range} />
      <Stat
        label="Profiles"
        value={countMeasure(totals.profiles)}
        detail={
          totals.lastActivity && (
            <span title={`${exactCount(totals.profiles)} profiles`}>
              <span className="max-sm:sr-only">Last upload </span>
              <RelativeTime at={totals.lastActivity} />
            </span>
          )
        }
      />
      <Stat
        label="Open alerts"
        value={countMeasure(fleet.open_alerts ?? 0)}
        detail={alertsText(fleet.services_with_alerts ?? 0, isLoading)}
      />
      <div className="rounded-card border border-line bg-surface p-4 max-lg:col-span-full">
        <dt className="mb-3 text-label text-muted">Profiles by type</dt>
        <dd>
          <TypeBar shares={typeShares(totals.byType)} />
        </dd>
      </div>
    </dl>
  );
}

function alertsText(services: number, isLoading: boolean): string {
  if (isLoading) return "Demo data is loading";
  return services === 0 ? "None open" : `In ${plural(services, "service")}`;
}

const sortLabels: Record<ServiceOrder, string> = {
  name: "Name",
  alerts: "Open alerts",
  cpu: "CPU",
  change: "CPU increase",
  profiles: "Profiles",
  activity: "Last activity",
};
const sortOptions = serviceOrders.map((value) => ({ value, label: `Sort: ${sortLabels[value]}` }));

interface ServiceListProps {
  readonly reply: Reply;
  readonly entries: readonly ServiceEntry[];
  readonly stateOf: (entry: ServiceEntry) => TrendState;
}

function ServiceList({ reply, entries, stateOf }: ServiceListProps) {
  const { q = "", after } = useSearch({ from: "/protected/profiles" });
  const { total, totals, next_cursor: nextPage } = reply;
  const navigate = useNavigate({ from: "/profiles" });
  const [text, search] = useSearchText(q, (next) => {
    void navigate({
      search: (before) => ({ ...before, q: next, after: undefined }),
      replace: true,
      resetScroll: false,
    });
  });

  const turn = (to: string | undefined) => void navigate({ search: (before) => ({ ...before, after: to }) });

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <SearchInput
          label="Search services"
          placeholder="Search services by name"
          value={text}
          onChange={search}
        />
        <SortSelect />
        <span role="status" className="min-w-28 text-label text-muted sm:text-right">
          {q === ""
            ? plural(totals.services, "service")
            : `${exactCount(total)} of ${exactCount(totals.services)}`}
        </span>
      </div>
      {entries.length === 0 ? (
        <NoMatch text={text.trim()} onClear={() => search("")} />
      ) : (
        <VirtualGrid
          label="Services"
          items={entries}
          keyOf={({ totals }) => totals.name}
          heightPx={serviceCardHeightPx}
        >
          {(entry) => <ServiceCard entry={entry} trends={stateOf(entry)} leadsTo="profiles" />}
        </VirtualGrid>
      )}
      <ListPages
        detail={`${exactCount(entries.length)} of ${plural(total, "service")}`}
        onFirst={after === undefined ? undefined : () => turn(undefined)}
        onNext={nextPage === null ? undefined : () => turn(nextPage)}
      />
    </>
  );
}

function SortSelect() {
  const { sort = "name" } = useSearch({ from: "/protected/profiles" });
  const navigate = useNavigate({ from: "/profiles" });
  return (
    <Select
      label="Sort services"
      value={sort}
      options={sortOptions}
      onChange={(next) =>
        void navigate({
          search: (before) => ({ ...before, sort: next === "name" ? undefined : next, after: undefined }),
          resetScroll: false,
        })
      }
      className="w-44"
    />
  );
}

function NoMatch({ text, onClear }: { readonly text: string; readonly onClear: () => void }) {
  return (
    <Card>
      <Message
        icon={SearchX}
        title="No service matches"
        actions={
          <>
            <Button onClick={onClear}>Clear Search</Button>
            <ShowLatest text={text} />
          </>
        }
      >
        <p>No service in this range has “{text}” in its name.</p>
      </Message>
    </Card>
  );
}

function NoServices({ range }: { readonly range: string }) {
  return (
    <Message
      icon={Server}
      title="No Services Found"
      actions={
        <Link to="/senders" className={buttonClass("secondary")}>
          Senders
        </Link>
      }
    >
      <p>{range}: no data received. Choose a longer time range, or check that your services are sending.</p>
    </Message>
  );
}

function ServicesFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <Message
      icon={CircleAlert}
      tone="critical"
      title="Error Loading Services"
      actions={<Button onClick={onRetry}>Try Again</Button>}
    >
      <p>Failed to load services. Please try again later.</p>
      <p>{error.message}</p>
    </Message>
  );
}

const servicesTotalsClass = "mb-6 grid grid-cols-3 gap-2 sm:gap-4 lg:grid-cols-[1fr_1fr_1fr_minmax(0,1.8fr)]";

function ServicesSkeleton() {
  return (
    <div role="status" aria-label="Loading services...">
      <div className={servicesTotalsClass}>
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card! max-lg:col-span-full" />
      </div>
      <p className="mb-4 flex h-9 items-center rounded-control bg-surface-2 px-3 text-muted">
        Loading services...
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(264px,100%),1fr))] gap-4">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <div key={key} style={{ height: serviceCardHeightPx }}>
            <Skeleton className="h-full rounded-card!" />
          </div>
        ))}
      </div>
    </div>
  );
}
