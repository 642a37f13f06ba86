import type { Alert, Incident } from "@flamekeep/contract";
import {
  growthSentences,
  instanceSentences,
  isFault,
  isPartialRelease,
  rangeSentences,
  releaseText,
  returnedSentences,
  runSentences,
  sideBySideSentences,
} from "@flamekeep/contract/alert-text";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { Link } from "@tanstack/react-router";
import { AlertFunction } from "#alert-list/alert-parts.tsx";
import { alertRequests } from "#alert-list/model.ts";
import { alertMeasure, alertSentence } from "#alert-list/values.ts";
import { SignalActions } from "#alerts/signal/signal-actions.tsx";
import { NewestProfile, SignalHandling, SignalHead } from "#alerts/signal/signal-card.tsx";
import { hasChart, SignalChart } from "#alerts/signal/signal-chart.tsx";
import { measureText } from "#format/measure.ts";
import { clockTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
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
          {alert.signal !== undefined && <RequestsLink alert={alert} />}
        </div>
      ) : alert.signal === "silence" ? (
        <p className="self-center">
          <Link
            to="/senders"
            search={{ service: alert.service }}
            className="text-label text-accent-text underline"
          >
            Open the instances, keys and rejected requests of {alert.service}
          </Link>
        </p>
      ) : (
        <p className="self-center text-label text-muted">
          A chart of the whole service would hide{" "}
          {alert.signal === "function" ? "this function" : "these instances"}.
        </p>
      )}
    </div>
  );
}

function RequestsLink({ alert }: AlertProps) {
  return (
    <Link {...alertRequests(alert, useMinute())} className="text-label text-accent-text underline">
      Open the requests of {alert.route ?? alert.service}
    </Link>
  );
}

const othersShown = 2;

/** The functions that rose with the one that an alert about functions names. */
function otherFunctions({ functions, culprit }: Alert): string[] {
  const others = functions.filter(({ name }) => name !== culprit?.name).slice(0, othersShown);
  return others.length === 0
    ? []
    : [`Also ${others.map(({ name }) => shortFunctionName(name)).join(" and ")}.`];
}

/** Circumstances of a signal: its growth, the instances that rose, and possible causes. */
export function SignalNotes({ alert }: { readonly alert: Alert }) {
  const { instances, release, has_requests: hasRequests } = alert;
  const zone = useZone();
  const nowMs = useMinute();
  const format = {
    quantity: (value: number) => measureText(alertMeasure(alert, value)),
    time: (at: string) => clockTime(at, nowMs, zone),
  };
  const notes = [
    ...rangeSentences(alert),
    ...(alert.signal === "function" ? [alertSentence(alert), ...otherFunctions(alert)] : []),
    ...runSentences(alert),
    ...sideBySideSentences(alert, format),
    ...returnedSentences(alert, format),
    ...growthSentences(alert, format),
    ...instanceSentences(alert, instances?.length ?? 0),
    ...(release !== undefined && isPartialRelease(release) ? [`${releaseText(release)}.`] : []),
    ...(hasRequests === false && instances === undefined && !isFault(alert)
      ? ["Without HTTP metrics, heavier traffic cannot be told apart from slower code."]
      : []),
  ];
  return notes.map((note) => (
    <p key={note} className="text-label text-muted [overflow-wrap:anywhere]">
      {note}
    </p>
  ));
}
