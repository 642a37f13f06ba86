import type { listIncidents, ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { mutesQuery } from "#alert-list/queries.ts";
import { importPage } from "#api/import-page.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { AlertFilters } from "./alert-filters.tsx";
import { AlertStats } from "./alert-stats.tsx";
import { AlertsSkeleton, IncidentSkeleton } from "./alerts-skeleton.tsx";
import { IncidentList } from "./list/incident-list.tsx";
import {
  type AlertFilter,
  alertSortTexts,
  countText,
  filterValues,
  shownIncidents,
  signalsOf,
} from "./model.ts";
import { NoAlerts, NoMatch } from "./no-alerts.tsx";
import { incidentsQuery } from "./queries.ts";
import type { AlertSort } from "./search.ts";

const IncidentView = lazy(async () => ({
  default: (await importPage(() => import("./incident/incident-view.tsx"))).IncidentView,
}));

/** Loaded after the alerts, which are above it. */
const CoverageCard = lazy(async () => ({
  default: (await importPage(() => import("./coverage/coverage-card.tsx"))).CoverageCard,
}));

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
        {query.data !== undefined && <Coverage />}
      </div>
    </>
  );
}

function Coverage() {
  const { coverage, service } = useSearch({ from: "/protected/alerts" });
  const navigate = useNavigate({ from: "/alerts" });
  return (
    <Suspense>
      <CoverageCard
        service={coverage ?? service}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, coverage: next }),
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
        actions={mayChange ? <RuleLink service={filter.service} /> : <ReadOnlyNote />}
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

function RuleLink({ service }: { readonly service: string | undefined }) {
  return (
    <Link to="/settings" search={{ tab: "alerts", rule: "new", service }} className={buttonClass()}>
      Create a rule
    </Link>
  );
}
