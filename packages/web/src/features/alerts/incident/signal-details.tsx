import type { Alert, Incident } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { AlertFunction } from "#alert-list/alert-parts.tsx";
import { hasChart } from "#alerts/signal/has-chart.ts";
import { NewestProfile } from "#alerts/signal/newest-profile.tsx";
import { SignalActions } from "#alerts/signal/signal-actions.tsx";
import { SignalChart } from "#alerts/signal/signal-chart.tsx";
import { SignalHandling } from "#alerts/signal/signal-handling.tsx";
import { SignalHead } from "#alerts/signal/signal-head.tsx";
import { SignalNotes } from "./signal-notes.tsx";

interface AlertProps {
  readonly alert: Alert;
}

/** A signal with its values, times, function and circumstances. */
export function SignalDetails({ alert, incident }: AlertProps & { readonly incident: Incident }) {
  return (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="flex min-w-0 flex-col gap-2">
        <SignalHead alert={alert} />
        {(alert.culprit ?? alert.functions[0]) && <AlertFunction alert={alert} hasShareLabel />}
        <SignalNotes alert={alert} />
        <span className="flex flex-wrap items-center justify-between gap-2">
          <NewestProfile alert={alert} label="Newest profile" />
          <SignalHandling alert={alert} incident={incident} />
          <SignalActions alert={alert} />
        </span>
      </div>
      {hasChart(alert) ? (
        <div className="flex min-w-0 flex-col gap-1">
          <SignalChart alert={alert} size="page" />
          {alert.signal !== undefined && <RequestsLink service={alert.service} />}
        </div>
      ) : (
        <p className="self-center text-label text-muted">
          A chart of the service would mix these instances with the others.
        </p>
      )}
    </div>
  );
}

function RequestsLink({ service }: { readonly service: string }) {
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: service }}
      className="text-label text-accent-text underline"
    >
      Open the requests of {service}
    </Link>
  );
}
