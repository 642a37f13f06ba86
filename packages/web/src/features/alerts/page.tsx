import type { listAlerts, ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { alertsQuery, mutesQuery } from "#alert-list/queries.ts";
import { importPage } from "#api/import-page.ts";
import { exactCount, plural } from "#format/number.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { AlertFilters } from "./alert-filters.tsx";
import { AlertStats } from "./alert-stats.tsx";
import { AlertTable } from "./alert-table.tsx";
import { AlertsSkeleton } from "./alerts-skeleton.tsx";
import {
  type AlertFilter,
  alertSortTexts,
  filterAlerts,
  filterValues,
  groupByIncident,
  sortAlerts,
} from "./model.ts";
import { NoAlerts, NoMatch } from "./no-alerts.tsx";
import type { AlertSort } from "./search.ts";

type AlertReply = ReplyOf<typeof listAlerts>;

/** It is below the alerts, so they are shown before its code is there. */
const CoverageCard = lazy(async () => ({
  default: (await importPage(() => import("./coverage/coverage-card.tsx"))).CoverageCard,
}));

export function AlertsPage() {
  const query = useQuery(alertsQuery("all"));
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

function Alerts({ reply }: { readonly reply: AlertReply }) {
  return (
    <>
      <AlertStats alerts={reply.alerts} />
      <Card className="min-w-0">
        {reply.alerts.length === 0 ? <NoAlerts /> : <AlertList reply={reply} />}
      </Card>
    </>
  );
}

interface AlertOrder {
  readonly sort?: AlertSort | undefined;
  readonly reversed?: 1 | undefined;
}

function AlertList({ reply }: { readonly reply: AlertReply }) {
  const { sort = "increase", reversed, ...filter } = useSearch({ from: "/protected/alerts" });
  const isReversed = reversed === 1;
  const navigate = useNavigate({ from: "/alerts" });
  const mayChange = useMayChange();
  // The end of a mute, which unmuting with undo brings back.
  useQuery({ ...mutesQuery, enabled: reply.alerts.some((alert) => alert.is_muted) });
  const shown = groupByIncident(sortAlerts(filterAlerts(reply.alerts, filter), sort, isReversed));

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
        detail={`${countDetail(reply, shown.length)}, ${alertSortTexts[sort][isReversed ? 1 : 0]}`}
        actions={!mayChange && <ReadOnlyNote />}
      />
      <AlertFilters values={filterValues(reply.alerts, filter)} filter={filter} onChange={change} />
      {shown.length === 0 ? (
        <NoMatch onClear={() => change({ service: undefined, type: undefined })} />
      ) : (
        <AlertTable
          alerts={shown}
          loaded={reply.alerts}
          sort={sort}
          isReversed={isReversed}
          onSort={sortBy}
        />
      )}
    </>
  );
}

function countDetail({ alerts, next_cursor }: AlertReply, shown: number): string {
  const loaded =
    next_cursor === null ? plural(alerts.length, "alert") : `newest ${exactCount(alerts.length)} alerts`;
  return shown === alerts.length ? loaded : `${exactCount(shown)} of ${loaded}`;
}
