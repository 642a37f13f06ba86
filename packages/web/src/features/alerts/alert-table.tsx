import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import {
  AlertFunction,
  AlertIncrease,
  AlertService,
  AlertSince,
  AlertType,
  AlertValues,
} from "#alert-list/alert-parts.tsx";
import { AlertRows } from "#alert-list/alert-rows.tsx";
import { CompareLink } from "#alert-list/compare-link.tsx";
import { HandlingBadge } from "#alert-list/handling-badge.tsx";
import { HandlingMenu } from "#alert-list/handling-menu.tsx";
import { severityOf } from "#alert-list/model.ts";
import { MuteMenu } from "#alert-list/mute-menu.tsx";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { useMayChange } from "#session/session.ts";
import { SortHead, TableHead, tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { useIsPhone } from "#ui/hooks/use-media.ts";
import { signalText } from "./model.ts";
import type { AlertSort } from "./search.ts";
import { WhatChanged } from "./what-changed.tsx";

interface AlertTableProps extends AlertOrder {
  readonly alerts: readonly Alert[];
  /** All alerts that were read: a filter must not change the number of signals of an incident. */
  readonly loaded: readonly Alert[];
}

interface AlertOrder {
  readonly sort: AlertSort;
  readonly isReversed: boolean;
  readonly onSort: (sort: AlertSort) => void;
}

export function AlertTable({ alerts, loaded, ...order }: AlertTableProps) {
  const isPhone = useIsPhone();
  const canMute = useMayChange();
  if (isPhone) {
    return (
      <AlertRows
        alerts={alerts}
        canMute={canMute}
        actionOf={(alert) => (
          <>
            <WhatChanged alert={alert} />
            {canMute && <HandlingMenu alert={alert} />}
          </>
        )}
      />
    );
  }
  return (
    <div className="overflow-x-auto border-line border-t">
      <table className={tableClass}>
        <AlertTableHead {...order} />
        <tbody>
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} signal={signalText(alert, loaded)} canMute={canMute} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The server sends all of its alerts at once, so that the order is of all of them. */
export function AlertTableHead({ sort, isReversed, onSort }: AlertOrder) {
  const head = (column: AlertSort, isAscending: boolean) => ({
    isSorted: sort === column,
    isAscending: isAscending !== (sort === column && isReversed),
    onSort: () => onSort(column),
  });
  return (
    <thead>
      <tr>
        <SortHead {...head("severity", false)} isNumeric={false}>
          Severity
        </SortHead>
        <SortHead {...head("service", true)} isNumeric={false}>
          Service
        </SortHead>
        <SortHead {...head("type", true)} isNumeric={false}>
          Type
        </SortHead>
        <SortHead {...head("increase", false)}>Increase</SortHead>
        <TableHead isNumeric>Before and after</TableHead>
        <SortHead {...head("since", false)} isNumeric={false}>
          Since
        </SortHead>
        <TableHead className="w-full">Grew most</TableHead>
        <TableHead>Profile</TableHead>
        <TableHead>
          <span className="sr-only">Actions</span>
        </TableHead>
      </tr>
    </thead>
  );
}

const cell = "px-3 py-1 first:pl-4 last:pr-4";
const numeric = cx(cell, "text-right");

interface AlertRowProps {
  readonly alert: Alert;
  readonly signal: string | undefined;
  readonly canMute: boolean;
}

function AlertRow({ alert, signal, canMute }: AlertRowProps) {
  const isResolved = alert.status === "resolved";
  return (
    <tr
      className={cx(
        "h-9 border-line border-t transition-colors duration-120 hover:bg-surface-2",
        isResolved && "text-muted",
      )}
    >
      <td className={cell}>
        <SeverityMark severity={severityOf(alert)} />
      </td>
      <td className={cell}>
        <span className="flex max-w-36">
          <AlertService alert={alert} />
        </span>
        {signal && (
          <span
            className="block whitespace-nowrap text-label text-muted"
            title="These signals began together: one incident"
          >
            {signal}
          </span>
        )}
        <span className="flex max-w-36 empty:hidden">
          <HandlingBadge alert={alert} />
        </span>
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
      <td className={cx(cell, "text-muted")}>
        <AlertSince alert={alert} isTwoLines />
        {alert.resolved_at && (
          <span className="block whitespace-nowrap text-label">
            resolved <RelativeTime at={alert.resolved_at} />
          </span>
        )}
      </td>
      <td className={cx(cell, "min-w-32 max-w-0")}>
        <AlertFunction alert={alert} hasShareLabel />
      </td>
      <td className={cell}>
        <Link
          to="/profile/$profileId"
          params={{ profileId: alert.profile_id }}
          title={alert.profile_id}
          className="font-mono text-code hover:text-accent-text hover:underline"
        >
          {alert.profile_id.slice(0, 8)}
        </Link>
      </td>
      <td className={cx(cell, "w-9")}>
        <span className="flex items-center justify-end">
          <WhatChanged alert={alert} />
          <CompareLink alert={alert} />
          {canMute && <MuteMenu alert={alert} />}
          {canMute && <HandlingMenu alert={alert} />}
        </span>
      </td>
    </tr>
  );
}
