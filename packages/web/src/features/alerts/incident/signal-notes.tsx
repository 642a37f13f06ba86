import { type Alert, growthSentences, isFault, isPartialRelease, releaseText } from "@flamekeep/contract";
import { alertMeasure } from "#alert-list/values.ts";
import { measureText } from "#format/measure.ts";
import { clockTime } from "#format/time.ts";
import { useZone } from "#preferences/time-zone.ts";
import { useMinute } from "#ui/hooks/use-now.ts";

/** Circumstances of a signal: its growth, the instances that rose, and possible causes. */
export function SignalNotes({ alert }: { readonly alert: Alert }) {
  const { instances, version, release, has_requests: hasRequests } = alert;
  const zone = useZone();
  const nowMs = useMinute();
  const notes = [
    ...growthSentences(alert, {
      quantity: (value) => measureText(alertMeasure(alert, value)),
      time: (at) => clockTime(at, nowMs, zone),
    }),
    ...(instances === undefined
      ? []
      : [`Only on ${instances.join(", ")}${version === undefined ? "" : `, version ${version}`}.`]),
    ...(release !== undefined && isPartialRelease(release) ? [`${releaseText(release)}.`] : []),
    ...(hasRequests === false && instances === undefined && !isFault(alert)
      ? ["Without HTTP metrics, more traffic cannot be told apart from a change of the code."]
      : []),
  ];
  return notes.map((note) => (
    <p key={note} className="text-label text-muted [overflow-wrap:anywhere]">
      {note}
    </p>
  ));
}
