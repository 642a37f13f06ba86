import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { profileTypeLabel } from "#format/names.ts";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import {
  AlertFunction,
  AlertIncrease,
  AlertService,
  AlertSince,
  AlertType,
  AlertValues,
} from "./alert-parts.tsx";
import { CompareLink } from "./compare-link.tsx";
import { HandlingBadge } from "./handling-badge.tsx";
import { alertPage, severityOf } from "./model.ts";
import { MuteMenu } from "./mute-menu.tsx";
import { SeverityMark } from "./severity-mark.tsx";

interface AlertRowsProps {
  readonly alerts: readonly Alert[];
  /** Shows a menu that mutes. */
  readonly canMute?: boolean;
  /** More actions of each row. */
  readonly actionOf?: (alert: Alert) => ReactNode;
}

/** Alerts as a list, for phones and cards, which have no room for a table. */
export function AlertRows({ alerts, canMute = false, actionOf }: AlertRowsProps) {
  const nowMs = useMinute();
  // More than two actions have their own line.
  const hasMore = canMute || actionOf !== undefined;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {alerts.map((alert) => (
        <li
          key={alert.id}
          className={cx(
            "flex items-center gap-2 py-2.5 pr-2 pl-4",
            hasMore && "flex-wrap gap-y-0 pb-0.5",
            alert.status === "resolved" && "text-muted",
          )}
        >
          <div className={cx("flex min-w-0 flex-1 flex-col gap-1", hasMore && "basis-full pr-2")}>
            <div className="flex min-w-0 items-center gap-2">
              <AlertService alert={alert} />
              <AlertType alert={alert} />
              <span className="ml-auto pl-2">
                <AlertIncrease alert={alert} />
              </span>
            </div>
            <p className="text-label text-muted">
              <AlertSince alert={alert} />
            </p>
            <AlertFunction alert={alert} />
            <span className="flex min-w-0 empty:hidden">
              <HandlingBadge alert={alert} />
            </span>
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
          <div className={cx("flex shrink-0 items-center", hasMore ? "basis-full justify-end" : "flex-col")}>
            <Link
              {...alertPage(alert, nowMs)}
              aria-label={`${profileTypeLabel(alert.profile_type)} of ${alert.service}`}
              className="grid size-10 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text"
            >
              <ChevronRight aria-hidden className="size-4" />
            </Link>
            {actionOf?.(alert)}
            <CompareLink alert={alert} />
            {canMute && <MuteMenu alert={alert} />}
          </div>
        </li>
      ))}
    </ul>
  );
}
