import type { Alert, Incident } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import {
  AlertFunction,
  AlertIncrease,
  AlertSince,
  AlertType,
  AlertValues,
} from "#alert-list/alert-parts.tsx";
import { alertName, alertPage, severityOf } from "#alert-list/model.ts";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { SignalActions } from "#alerts/signal/signal-actions.tsx";
import { NewestProfile, SignalCard, SignalHandling } from "#alerts/signal/signal-card.tsx";
import { SignalChart } from "#alerts/signal/signal-chart.tsx";
import { SortHead, TableHead, tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { IncidentHead } from "./incident-head.tsx";
import { type ListOrder, type ShownIncident, signalCountText } from "./model.ts";
import type { AlertSort } from "./search.ts";

interface TableOrder extends ListOrder {
  readonly onSort: (sort: AlertSort) => void;
}

interface IncidentTableProps extends TableOrder {
  readonly incidents: readonly ShownIncident[];
}

function IncidentTable({ incidents, ...order }: IncidentTableProps) {
  return (
    <div className="overflow-x-auto border-line border-t">
      <table className={tableClass}>
        <IncidentTableHead {...order} />
        {incidents.map((shown) => (
          <IncidentRows key={shown.incident.id} shown={shown} />
        ))}
      </table>
    </div>
  );
}

const columnCount = 9;
/** Less space between the columns than in other tables, because there are more columns. */
const headClass = "not-first:pl-2.5! not-last:pr-2.5!";

/** Its buttons sort all incidents: the server sends all of them at once. */
export function IncidentTableHead({ sort, isReversed, onSort }: TableOrder) {
  const head = (column: AlertSort, isAscending: boolean) => ({
    isSorted: sort === column,
    isAscending: isAscending !== (sort === column && isReversed),
    className: headClass,
    onSort: () => onSort(column),
  });
  return (
    <thead>
      <tr>
        <SortHead {...head("service", true)} isNumeric={false}>
          Service, signal
        </SortHead>
        <SortHead {...head("severity", false)} isNumeric={false}>
          Severity
        </SortHead>
        <SortHead {...head("type", true)} isNumeric={false}>
          Type
        </SortHead>
        <SortHead {...head("increase", false)}>Increase</SortHead>
        <TableHead isNumeric className={headClass}>
          Before and after
        </TableHead>
        <TableHead className={headClass}>Over time</TableHead>
        <SortHead {...head("since", false)} isNumeric={false}>
          Since
        </SortHead>
        <TableHead className={cx(headClass, "w-full")}>Grew most</TableHead>
        <TableHead>
          <span className="sr-only">Actions</span>
        </TableHead>
      </tr>
    </thead>
  );
}

function IncidentRows({ shown }: { readonly shown: ShownIncident }) {
  const { incident, signals } = shown;
  return (
    <tbody>
      <tr className="border-line border-t bg-surface-2/60">
        <th scope="rowgroup" colSpan={columnCount} className="px-4 py-2 text-left font-normal">
          <IncidentHead incident={incident} count={signalCountText(shown)} />
        </th>
      </tr>
      {signals.map((alert) => (
        <SignalRow key={alert.id} alert={alert} incident={incident} />
      ))}
    </tbody>
  );
}

const cell = "px-2.5 py-1.5 first:pl-4 last:pr-4";
const numeric = cx(cell, "text-right");

function SignalRow({ alert, incident }: { readonly alert: Alert; readonly incident: Incident }) {
  const nowMs = useMinute();
  const grown = alert.culprit ?? alert.functions[0];
  return (
    <tr
      className={cx(
        "h-9 border-line border-t transition-colors duration-120 hover:bg-surface-2",
        alert.status === "resolved" && "text-muted",
      )}
    >
      <td className={cell}>
        <Link
          {...alertPage(alert, nowMs)}
          title={alertName(alert)}
          className="block max-w-36 truncate hover:text-accent-text hover:underline"
        >
          {alertName(alert)}
        </Link>
        <span className="flex max-w-36 empty:hidden">
          <SignalHandling alert={alert} incident={incident} />
        </span>
      </td>
      <td className={cell}>
        <SeverityMark severity={severityOf(alert)} />
      </td>
      <td className={cell}>
        <AlertType alert={alert} />
      </td>
      <td className={numeric}>
        <AlertIncrease alert={alert} />
      </td>
      <td className={numeric}>
        <AlertValues alert={alert} />
      </td>
      <td className={cell}>
        <SignalChart alert={alert} size="row" />
      </td>
      <td className={cx(cell, "text-muted")}>
        <AlertSince alert={alert} isTwoLines />
        {alert.resolved_at && (
          <span className="block whitespace-nowrap text-label">
            resolved <RelativeTime at={alert.resolved_at} />
          </span>
        )}
      </td>
      <td className={cx(cell, "min-w-32 max-w-0")}>
        {grown && <AlertFunction alert={alert} hasShareLabel />}
        <NewestProfile alert={alert} label="profile" />
      </td>
      <td className={cx(cell, "w-9")}>
        <SignalActions alert={alert} />
      </td>
    </tr>
  );
}

interface IncidentListProps extends ListOrder {
  readonly incidents: readonly ShownIncident[];
  readonly onSort: (sort: AlertSort) => void;
}

/** A group of rows for each incident; on narrow screens a list of its signals. */
export function IncidentList({ incidents, ...order }: IncidentListProps) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return <IncidentTable incidents={incidents} {...order} />;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {incidents.map((shown) => (
        <li key={shown.incident.id} className="flex flex-col gap-3 px-4 py-3">
          <IncidentHead incident={shown.incident} count={signalCountText(shown)} />
          <SignalCards {...shown} />
        </li>
      ))}
    </ul>
  );
}

function SignalCards({ incident, signals }: ShownIncident) {
  return (
    <ul className="flex flex-col gap-3">
      {signals.map((alert) => (
        <li key={alert.id} className="border-line border-l-2 pl-3">
          <SignalCard alert={alert} incident={incident} />
        </li>
      ))}
    </ul>
  );
}
