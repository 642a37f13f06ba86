import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { AlertFunction, AlertIncrease, AlertService, AlertType, AlertValues } from "./alert-parts.tsx";
import type { Severity } from "./model.ts";
import { SeverityMark } from "./severity-mark.tsx";

interface AlertRowsProps {
  readonly alerts: readonly Alert[];
  readonly severityOf: (alert: Alert) => Severity;
}

/** Alerts as a list, for phones and cards, which have no room for a table. */
export function AlertRows({ alerts, severityOf }: AlertRowsProps) {
  return (
    <ul className="divide-y divide-line border-line border-t">
      {alerts.map((alert) => (
        <li
          key={alert.id}
          className={cx(
            "flex items-center gap-2 py-2.5 pr-2 pl-4",
            alert.status === "resolved" && "text-muted",
          )}
        >
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <div className="flex min-w-0 items-center gap-2">
              <AlertService alert={alert} />
              <AlertType alert={alert} />
              <span className="ml-auto pl-2">
                <AlertIncrease alert={alert} />
              </span>
            </div>
            <div className="flex min-w-0 items-center justify-between gap-3">
              <AlertFunction alert={alert} />
              <span className="shrink-0 text-label text-muted">
                since <RelativeTime at={alert.timestamp} />
              </span>
            </div>
            <div className="flex items-center gap-2">
              <SeverityMark severity={severityOf(alert)} />
              {alert.resolved_at && (
                <span className="text-label text-muted">
                  <RelativeTime at={alert.resolved_at} />
                </span>
              )}
              <span className="ml-auto">
                <AlertValues alert={alert} />
              </span>
            </div>
          </div>
          <Link
            to="/profile/$profileId"
            params={{ profileId: alert.profile_id }}
            aria-label={`Profile of ${alert.service}`}
            className="grid h-11 w-10 shrink-0 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text"
          >
            <ChevronRight aria-hidden className="size-4" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
