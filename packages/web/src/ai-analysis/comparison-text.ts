import type { Analysis } from "@flamekeep/contract";
import { alertMeasure } from "#alert-list/values.ts";
import { measureText } from "#format/measure.ts";
import { wholePercentText } from "#format/number.ts";
import { namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";

export type Comparison = NonNullable<Analysis["comparison"]>;

/** A smaller change counts as none. */
const changeMin = 0.005;

/** `CPU time of one instance rose by 69%, from 0.411 cores to 0.696 cores; per request from 3.12 ms to 5.23 ms.` */
export function comparisonSentence(comparison: Comparison): string {
  const { sample_type: sampleType, before, after, increase } = comparison;
  const [type = "", unit = ""] = sampleType.split("/");
  const name = `${sampleTypeLabel(type)} of one instance`;
  const value = (perSecond: number) => measureText(alertMeasure(comparison, perSecond));
  const perRequest = (amount: number) => measureText(namedSampleMeasure(amount, type, unit));
  if (increase === null) return `${name} is ${value(after.per_second)}. The other range has none.`;
  const isSteady = Math.abs(increase) < changeMin;
  const both = (first: string, last: string) =>
    isSteady ? `${first} before, ${last} after` : `from ${first} to ${last}`;
  const requests =
    before.per_request === null || after.per_request === null
      ? ""
      : `; per request ${both(perRequest(before.per_request), perRequest(after.per_request))}`;
  const change = isSteady ? "hardly changed:" : `${changeText(increase)},`;
  return `${name} ${change} ${both(value(before.per_second), value(after.per_second))}${requests}.`;
}

function changeText(increase: number): string {
  return `${increase > 0 ? "rose" : "fell"} by ${wholePercentText(Math.abs(increase))}`;
}
