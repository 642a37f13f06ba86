import type { listIncidents, listServices, ReplyOf } from "@flamekeep/contract";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, ListFilter, X } from "lucide-react";
import { Suspense } from "react";
import { AddToDashboard } from "#add-to-dashboard/add-to-dashboard.tsx";
import { mutesQuery } from "#alert-list/queries.ts";
import { lazyPart } from "#api/import-page.ts";
import { profileTypeLabel } from "#format/names.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { AlertStats } from "./alert-stats.tsx";
import { AlertsSkeleton, IncidentSkeleton } from "./alerts-skeleton.tsx";
import { IncidentList } from "./incident-table.tsx";
import {
  type AlertFilter,
  alertSortTexts,
  countText,
  type FilterValues,
  filterValues,
  shownIncidents,
  signalsOf,
  type TypeFilter,
} from "./model.ts";
import { firstServiceQuery, incidentsQuery } from "./queries.ts";
import type { AlertSort } from "./search.ts";

const IncidentView = lazyPart(async () => (await import("./incident-view.tsx")).IncidentView);

/** Loaded after the alerts, which are above it. */
const CoverageCard = lazyPart(async () => (await import("./coverage/coverage-card.tsx")).CoverageCard);

type IncidentsReply = ReplyOf<typeof listIncidents>;

/** The list of all alerts, or one incident that the URL names. */
export function AlertsPage() {
  const { incident } = useSearch({ from: "/protected/alerts" });
  if (incident === undefined) return <AlertsOverview />;
  return (
    <Suspense fallback={<IncidentSkeleton />}>
      <IncidentView id={incident} />
    </Suspense>
  );
}

function AlertsOverview() {
  const query = useQuery(incidentsQuery);
  // For the card below the alerts, which would ask after them.
  const first = useQuery(firstServiceQuery);
  const failed = useLastError(query) !== null;
  const panel = (
    <Panel
      query={query}
      loading={<AlertsSkeleton />}
      errorTitle="Failed to load alerts. Please try again later."
    >
      {(reply) => <Alerts reply={reply} />}
    </Panel>
  );
  return (
    <>
      <Breadcrumb>
        <Link to="/dashboard">Dashboard</Link>
        <span className="text-text">Alerts</span>
      </Breadcrumb>
      <div className="mt-4 flex flex-col gap-4">
        {failed ? <Card>{panel}</Card> : panel}
        {query.data !== undefined && <Coverage first={first} />}
      </div>
    </>
  );
}

function Coverage({ first }: { readonly first: UseQueryResult<ReplyOf<typeof listServices>> }) {
  const { coverage, service } = useSearch({ from: "/protected/alerts" });
  const navigate = useNavigate({ from: "/alerts" });
  return (
    <Suspense>
      <CoverageCard
        first={first}
        service={coverage ?? service}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, coverage: next === "" ? undefined : next }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </Suspense>
  );
}

function Alerts({ reply }: { readonly reply: IncidentsReply }) {
  return (
    <>
      <AlertStats alerts={signalsOf(reply.incidents)} />
      <Card className="min-w-0">
        {reply.incidents.length === 0 ? <NoAlerts /> : <AlertList reply={reply} />}
      </Card>
    </>
  );
}

interface AlertOrder {
  readonly sort?: AlertSort | undefined;
  readonly reversed?: 1 | undefined;
}

function AlertList({ reply: { incidents, next_cursor } }: { readonly reply: IncidentsReply }) {
  const { sort = "increase", reversed, service, type } = useSearch({ from: "/protected/alerts" });
  const filter = { service, type };
  const isReversed = reversed === 1;
  const navigate = useNavigate({ from: "/alerts" });
  const mayChange = useMayChange();
  const alerts = signalsOf(incidents);
  // The end of a mute, which unmuting with undo brings back.
  useQuery({ ...mutesQuery, enabled: alerts.some((alert) => alert.is_muted) });
  const shown = shownIncidents(incidents, filter, { sort, isReversed });

  function change(part: AlertFilter & AlertOrder) {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  }

  /** A second click on a column reverses it. */
  function sortBy(next: AlertSort) {
    change({
      sort: next === "increase" ? undefined : next,
      reversed: next === sort && !isReversed ? 1 : undefined,
    });
  }

  return (
    <>
      <CardHeader
        title="Performance alerts"
        detail={`${countText(incidents, shown, next_cursor === null)}, ${alertSortTexts[sort][isReversed ? 1 : 0]}`}
        actions={mayChange ? <ListActions service={filter.service} /> : <ReadOnlyNote />}
      />
      <AlertFilters values={filterValues(alerts, filter)} filter={filter} onChange={change} />
      {shown.length === 0 ? (
        <NoMatch onClear={() => change({ service: undefined, type: undefined })} />
      ) : (
        <IncidentList incidents={shown} sort={sort} isReversed={isReversed} onSort={sortBy} />
      )}
    </>
  );
}

function ListActions({ service }: { readonly service: string | undefined }) {
  return (
    <div className="flex items-center gap-2">
      <AddToDashboard panels={[{ kind: "alerts", title: "", service: service ?? null }]} />
      <Link to="/settings" search={{ tab: "alerts", rule: "new", service }} className={buttonClass()}>
        Create a rule
      </Link>
    </div>
  );
}

interface AlertFiltersProps {
  readonly values: FilterValues;
  readonly filter: AlertFilter;
  readonly onChange: (part: AlertFilter) => void;
}

// Service names are never empty, but one could be "all".
const allServices = "";

function AlertFilters({ values, filter, onChange }: AlertFiltersProps) {
  const services = [
    { value: allServices, label: "All services" },
    ...values.services.map((value) => ({ value, label: value })),
  ];
  const types: { value: TypeFilter | "all"; label: string }[] = [
    { value: "all", label: "All types" },
    ...values.types.map((value) => ({ value, label: profileTypeLabel(value) })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <Select
        label="Service"
        value={filter.service ?? allServices}
        options={services}
        onChange={(service) => onChange({ service: service === allServices ? undefined : service })}
        className="w-44 max-sm:w-auto max-sm:flex-1"
      />
      <Select
        label="Type"
        value={filter.type ?? "all"}
        options={types}
        onChange={(type) => onChange({ type: type === "all" ? undefined : type })}
        className="w-36 max-sm:w-auto max-sm:flex-1"
      />
      <ActiveFilters filter={filter} onChange={onChange} />
    </div>
  );
}

function ActiveFilters({ filter, onChange }: Omit<AlertFiltersProps, "values">) {
  const { service, type } = filter;
  if (service === undefined && type === undefined) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
      {service !== undefined && (
        <FilterChip name="Service" value={service} onRemove={() => onChange({ service: undefined })} />
      )}
      {type !== undefined && (
        <FilterChip
          name="Type"
          value={profileTypeLabel(type)}
          onRemove={() => onChange({ type: undefined })}
        />
      )}
      <Button variant="ghost" size="sm" onClick={() => onChange({ service: undefined, type: undefined })}>
        Clear Filters
      </Button>
    </div>
  );
}

interface FilterChipProps {
  readonly name: string;
  readonly value: string;
  readonly onRemove: () => void;
}

function FilterChip({ name, value, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-7 min-w-0 items-center gap-1 rounded-control bg-surface-2 pr-0.5 pl-2.5 text-label">
      <span className="text-muted">{name}:</span>
      <span className="max-w-48 truncate font-medium" title={value}>
        {value}
      </span>
      <button
        type="button"
        aria-label={`Remove filter ${name}: ${value}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-badge text-muted hover:bg-line hover:text-text"
      >
        <X aria-hidden className="size-3.5" strokeWidth={1.75} />
      </button>
    </span>
  );
}

function NoAlerts() {
  return (
    <Message
      icon={CircleCheck}
      title="No alerts detected"
      actions={
        <Link to="/profiles" className={buttonClass()}>
          Look at the services
        </Link>
      }
    >
      <p>
        An alert opens when usage rises at least 15% above its normal range and neither traffic nor time of
        day explains it. Every service that sends profiles is watched.
      </p>
    </Message>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="border-line border-t">
      <Message
        icon={ListFilter}
        title="No alert matches these filters"
        actions={<Button onClick={onClear}>Show all alerts</Button>}
      />
    </div>
  );
}
