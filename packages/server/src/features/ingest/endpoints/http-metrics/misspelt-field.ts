import { HttpMetric } from "@flamekeep/contract";
import { closestName, quotableName } from "#ingest/endpoints/parameters/closest-name.ts";

/** Names that other programs have for the fields of a metric. */
const synonyms: Readonly<Record<string, string>> = {
  status: "status_code",
  code: "status_code",
  httpstatus: "status_code",
  time: "timestamp",
  at: "timestamp",
  ts: "timestamp",
  latency: "duration",
  durationms: "duration",
  durationseconds: "duration",
  verb: "method",
  url: "path",
  uri: "path",
  route: "path",
};

const keysMax = 100;

/** A sentence, with a space before it, about the member of a metric that was probably meant as `field`; empty where there is none. */
export function misspeltField(field: string, item: unknown): string {
  if (typeof item !== "object" || item === null || Object.hasOwn(item, field)) return "";
  const key = Object.keys(item)
    .slice(0, keysMax)
    .find(
      (each) => !(each in HttpMetric.shape) && closestName(quotableName(each), [field], synonyms) === field,
    );
  if (key === undefined) return "";
  const unit = field === "duration" ? " in seconds" : "";
  return ` The metric has ${quotableName(key)}: did you mean ${field}${unit}?`;
}
