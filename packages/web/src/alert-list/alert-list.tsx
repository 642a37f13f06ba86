import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import {
  AlertFunction,
  AlertIncrease,
  AlertService,
  AlertSince,
  AlertType,
  AlertValues,
} from "./alert-parts.tsx";
import { AlertRows } from "./alert-rows.tsx";
import { CompareLink } from "./compare-link.tsx";
import { alertPage, severityOf } from "./model.ts";
import { SeverityMark } from "./severity-mark.tsx";

interface AlertListProps {
  readonly alerts: readonly Alert[];
}

/** Alerts in a card of the page's width: lines, or on narrow screens rows. */
export function AlertList({ alerts }: AlertListProps) {
  return useIsNarrow() ? <AlertRows alerts={alerts} /> : <AlertLines alerts={alerts} />;
}

/**
 * One line per alert: severity, service, values, begin, and the function that grew, which takes the remaining width. The line links to
 * the profiles of the service while the value grew, its last link to the comparison of before and after.
 */
function AlertLines({ alerts }: AlertListProps) {
  const nowMs = useMinute();
  return (
    <ul className="grid grid-cols-[auto_fit-content(16rem)_auto_auto_auto_minmax(0,1fr)_auto] gap-x-4 divide-y divide-line border-line border-t">
      {alerts.map((alert) => (
        <li
          key={alert.id}
          className="relative col-span-full grid min-h-11 cursor-pointer grid-cols-subgrid items-center px-4 py-1.5 transition-colors duration-120 hover:bg-surface-2 [&>*_:is(a,[title])]:relative"
        >
          {/* The whole line leads where its service leads, which the keyboard reaches. */}
          <Link {...alertPage(alert, nowMs)} aria-hidden tabIndex={-1} className="absolute inset-0" />
          <SeverityMark severity={severityOf(alert)} />
          <span className="flex min-w-0 items-center gap-2">
            <AlertService alert={alert} />
            <AlertType alert={alert} />
          </span>
          <span className="text-right">
            <AlertIncrease alert={alert} />
          </span>
          {/* Their titles lie above the link of the line. */}
          <Link {...alertPage(alert, nowMs)} tabIndex={-1} className="text-right">
            <AlertValues alert={alert} />
          </Link>
          <Link {...alertPage(alert, nowMs)} tabIndex={-1} className="text-label">
            <AlertSince alert={alert} isTwoLines />
          </Link>
          <AlertFunction alert={alert} />
          {/* Its links lie above the link of the line. */}
          <span>
            <CompareLink alert={alert} />
          </span>
        </li>
      ))}
    </ul>
  );
}
