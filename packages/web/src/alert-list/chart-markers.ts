import type { Alert, Deploy } from "@flamekeep/contract";
import type { ChartMarker } from "#charts/chart.ts";
import { measureText } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { changeMeasure } from "#format/number.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";
import { sinceOf } from "./model.ts";

export function deployMarker({ timestamp, tag, value, previous }: Deploy): ChartMarker {
  return {
    atMs: Date.parse(timestamp),
    kind: "deploy",
    label: `Deploy: ${tag} ${value}`,
    details: `Before: ${previous}`,
  };
}

/** At the beginning of the rise, where that is known. */
export function alertMarker(alert: Alert): ChartMarker {
  return {
    atMs: Date.parse(sinceOf(alert)),
    kind: "alert",
    label: `Alert: ${alertText(alert)}`,
    details: alert.began_at === null ? statusText(alert) : `The rise began here. ${statusText(alert)}`,
  };
}

/** `CPU, CPU time +69.4%, most in main.hashPrices` */
function alertText({
  profile_type: type,
  sample_type: sample,
  percent_change: percent,
  functions,
}: Alert): string {
  const name = sampleTypeLabel(sample.split("/")[0] ?? "");
  const what = `${profileTypeLabel(type)}, ${name} ${measureText(changeMeasure(percent))}`;
  const [grown] = functions;
  return grown === undefined ? what : `${what}, most in ${grown.name}`;
}

function statusText({ status }: Alert): string {
  return status === "open" ? "Open" : "Resolved";
}
