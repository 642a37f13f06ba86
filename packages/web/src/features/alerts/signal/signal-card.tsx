import type { Alert, Incident } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import {
  AlertFunction,
  AlertIncrease,
  AlertSince,
  AlertType,
  AlertValues,
} from "#alert-list/alert-parts.tsx";
import { HandlingBadge } from "#alert-list/handling-badge.tsx";
import { alertName, alertPage, severityOf } from "#alert-list/model.ts";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { SignalActions } from "./signal-actions.tsx";
import { SignalChart } from "./signal-chart.tsx";

/** A signal of an incident, where there is no room for a row. */
export function SignalCard({ alert, incident }: { readonly alert: Alert; readonly incident: Incident }) {
  return (
    <div className={cx("flex min-w-0 flex-col gap-1", alert.status === "resolved" && "text-muted")}>
      <SignalHead alert={alert} />
      <SignalChart alert={alert} size="card" />
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3">
        <span className="min-w-0 max-w-full">
          {(alert.rule ?? alert.culprit ?? alert.functions[0]) && (
            <AlertFunction alert={alert} hasShareLabel />
          )}
        </span>
        <SignalHandling alert={alert} incident={incident} />
        <span className="ml-auto">
          <SignalActions alert={alert} />
        </span>
      </div>
    </div>
  );
}

/** Name, severity, values and times of a signal, for lists without columns. */
export function SignalHead({ alert }: { readonly alert: Alert }) {
  const nowMs = useMinute();
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          {...alertPage(alert, nowMs)}
          title={alertName(alert)}
          className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
        >
          {alertName(alert)}
        </Link>
        <AlertType alert={alert} />
        <SeverityMark severity={severityOf(alert)} />
        <span className="ml-auto flex items-baseline gap-3">
          <AlertValues alert={alert} />
          <AlertIncrease alert={alert} />
        </span>
      </div>
      <p className="text-label text-muted">
        <AlertSince alert={alert} />
        {alert.resolved_at && (
          <>
            , resolved <RelativeTime at={alert.resolved_at} />
          </>
        )}
      </p>
    </>
  );
}

/** The acknowledgement or acceptance of a signal. Nothing if the whole incident is acknowledged, because its head says so. */
export function SignalHandling({ alert, incident }: { readonly alert: Alert; readonly incident: Incident }) {
  if (incident.acknowledged !== undefined && alert.expected === undefined) return null;
  return <HandlingBadge alert={alert} />;
}

interface NewestProfileProps {
  readonly alert: Alert;
  /** The text before the id. */
  readonly label: string;
}

/** Link to the newest profile that the alert compared. */
export function NewestProfile({ alert: { profile_id: id }, label }: NewestProfileProps) {
  return (
    <span className="block truncate text-label text-muted">
      {label}{" "}
      <Link
        to="/profile/$profileId"
        params={{ profileId: id }}
        title={id}
        className="font-mono hover:text-accent-text hover:underline"
      >
        {id.slice(0, 8)}
      </Link>
    </span>
  );
}
