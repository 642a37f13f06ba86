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
import { hasChart } from "#alerts/signal/has-chart.ts";
import { SignalActions } from "#alerts/signal/signal-actions.tsx";
import { SignalChart } from "#alerts/signal/signal-chart.tsx";
import { SignalHandling } from "#alerts/signal/signal-handling.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";

interface AlertProps {
  readonly alert: Alert;
}

/** A signal with its values, times, function and circumstances. */
export function SignalDetails({ alert, incident }: AlertProps & { readonly incident: Incident }) {
  return (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="flex min-w-0 flex-col gap-2">
        <SignalHead alert={alert} />
        <p className="text-label text-muted">
          <AlertSince alert={alert} />
          {alert.resolved_at && (
            <>
              , resolved <RelativeTime at={alert.resolved_at} />
            </>
          )}
        </p>
        {(alert.culprit ?? alert.functions[0]) && <AlertFunction alert={alert} hasShareLabel />}
        <Notes alert={alert} />
        <span className="flex flex-wrap items-center justify-between gap-2">
          <NewestProfile alert={alert} />
          <SignalHandling alert={alert} incident={incident} />
          <SignalActions alert={alert} />
        </span>
      </div>
      {hasChart(alert) ? <SignalChart alert={alert} size="page" /> : <NoChart alert={alert} />}
    </div>
  );
}

function NoChart({ alert: { signal, route, service } }: AlertProps) {
  return (
    <p className="self-center text-label text-muted">
      {signal === undefined ? (
        "A chart of the service would mix these instances with the others."
      ) : (
        <>
          {route !== undefined && "No chart of a single route. "}
          <Link
            to="/projects/$projectId"
            params={{ projectId: service }}
            className="text-accent-text underline"
          >
            Open the requests of {service}
          </Link>
        </>
      )}
    </p>
  );
}

function SignalHead({ alert }: AlertProps) {
  const nowMs = useMinute();
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        {...alertPage(alert, nowMs)}
        title={alertName(alert)}
        className="min-w-0 truncate font-semibold hover:text-accent-text hover:underline"
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
  );
}

/** Circumstances of a signal: its trend, the instances that rose, and possible causes. */
function Notes({ alert }: AlertProps) {
  const { growth_per_hour: growth, instances, version, has_requests: hasRequests } = alert;
  const notes = [
    ...(growth === undefined ? [] : [`It keeps growing by ${(100 * growth).toFixed(1)}% an hour.`]),
    ...(instances === undefined
      ? []
      : [`Only on ${instances.join(", ")}${version === undefined ? "" : `, version ${version}`}.`]),
    ...(hasRequests === false && instances === undefined
      ? ["Without HTTP metrics, more traffic cannot be told apart from a change of the code."]
      : []),
  ];
  return notes.map((note) => (
    <p key={note} className="text-label text-muted [overflow-wrap:anywhere]">
      {note}
    </p>
  ));
}

function NewestProfile({ alert: { profile_id: id } }: AlertProps) {
  return (
    <span className="text-label text-muted">
      Newest profile{" "}
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
