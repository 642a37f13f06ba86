import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { AlertIncrease, AlertSince, AlertType, AlertValues } from "#alert-list/alert-parts.tsx";
import { alertName, alertPage, severityOf } from "#alert-list/model.ts";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";

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
