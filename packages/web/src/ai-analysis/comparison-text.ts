import type { Analysis } from "@flamekeep/contract";
import { alertMeasure } from "#alert-list/model.ts";
import { measureText } from "#format/measure.ts";
import { wholePercentText } from "#format/number.ts";
import { namedSampleMeasure, sampleTypeLabel } from "#format/sample-value.ts";

export type Comparison = NonNullable<Analysis["comparison"]>;

/** A change below it is none. */
const changeMin = 0.005;

/** `CPU time of one instance rose by 69%, from 0.411 cores to 0.696 cores; per request from 3.12 ms to 5.23 ms.` */
export function comparisonSentence(comparison: Comparison): string {
  const { sample_type: sampleType, before, after, increase } = comparison;
  const [type = "", unit = ""] = sampleType.split("/");
  const name = `${sampleTypeLabel(type)} of one instance`;
  const value = (perSecond: number) => measureText(alertMeasure(comparison, perSecond));
  const perRequest = (amount: number) => measureText(namedSampleMeasure(amount, type, unit));
  if (increase === null) return `${name} is ${value(after.per_second)}. The earlier range has none.`;
  const change = Math.abs(increase) < changeMin ? "did not change" : changeText(increase);
  const requests =
    before.per_request === null || after.per_request === null
      ? ""
      : `; per request from ${perRequest(before.per_request)} to ${perRequest(after.per_request)}`;
  return `${name} ${change}, from ${value(before.per_second)} to ${value(after.per_second)}${requests}.`;
}

function changeText(increase: number): string {
  return `${increase > 0 ? "rose" : "fell"} by ${wholePercentText(Math.abs(increase))}`;
}
