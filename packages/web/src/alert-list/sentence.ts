import type { Alert } from "@flamekeep/contract";
import { measureText } from "#format/measure.ts";
import { shortFunctionName } from "#format/names.ts";
import { percentText } from "#format/number.ts";
import { alertMeasure } from "./measure.ts";
import { alertName } from "./model.ts";

type DescribedAlert = Pick<
  Alert,
  | "signal"
  | "route"
  | "sample_type"
  | "unit"
  | "previous_value"
  | "current_value"
  | "percent_change"
  | "culprit"
  | "functions"
  | "service"
>;

/** `In-use memory of catalog rose by 41.7%, from 5.1 MB to 7.2 MB; catalog.retain grew most.` */
export function alertSentence(alert: DescribedAlert): string {
  const before = alertMeasure(alert, alert.previous_value);
  const after = alertMeasure(alert, alert.current_value);
  const from = before.unit === after.unit ? before.number : measureText(before);
  const name = alertName(alert);
  const percent = percentText(alert.percent_change);
  const grown = alert.culprit ?? alert.functions[0];
  const cause = grown === undefined ? "" : `; ${shortFunctionName(grown.name)} grew most`;
  return `${name} ${alert.signal === undefined ? "of" : "in"} ${alert.service} rose by ${percent}, from ${from} to ${measureText(after)}${cause}.`;
}
