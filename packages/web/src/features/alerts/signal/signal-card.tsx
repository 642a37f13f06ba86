import type { Alert, Incident } from "@flamekeep/contract";
import { AlertFunction } from "#alert-list/alert-parts.tsx";
import { cx } from "#ui/cx.ts";
import { SignalActions } from "./signal-actions.tsx";
import { SignalChart } from "./signal-chart.tsx";
import { SignalHandling } from "./signal-handling.tsx";
import { SignalHead } from "./signal-head.tsx";

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
