import { type Kind, ReadRefusal, refusalOf, sniff, WireReader } from "@flamekeep/profile";
import { accepted, type Outcome, type Refusal, refused } from "#ingest/upload/refusal.ts";
import { jsonRecords } from "#json/json-records.ts";
import { JsonFault, jsonDepthMax, skipSpace } from "#json/scan-json.ts";

/** For one metric: many times the longest valid one, for members that are not read. */
const metricBytesMax = 64 * 1024;
const limits = { depthMax: jsonDepthMax, bytesMax: metricBytesMax };

/**
 * Hands over the metrics of a body one by one until `take` refuses one: of a JSON array, one object,
 * `{ "metrics": [...] }`, or one object a line (NDJSON). Returns how many there were.
 */
export function readMetrics(
  body: Uint8Array,
  itemsMax: number,
  take: (item: unknown, index: number) => Refusal | undefined,
): Outcome<number> {
  let count = 0;
  try {
    for (const item of jsonRecords(body, "metrics", limits)) {
      if (count === itemsMax) return tooMany(itemsMax);
      const refusal = take(item, count);
      if (refusal !== undefined) return { ok: false, refusal };
      count++;
    }
  } catch (error) {
    if (error instanceof JsonFault) return unreadable(body, error, count);
    throw error;
  }
  if (count > 0) return accepted(count);
  const isEmpty = skipSpace(body, 0) === body.length;
  return refused(
    "invalid",
    "metric",
    isEmpty
      ? "The body is empty. Send a JSON array of HTTP metrics, or one a line."
      : "The batch has no metrics. Send at least one.",
  );
}

function tooMany(itemsMax: number): Outcome<never> {
  return refused(
    "too_large",
    "metrics",
    `The batch has more than ${itemsMax} metrics. Send smaller batches, or raise INGEST_MAX_METRICS on the server.`,
  );
}

function unreadable(body: Uint8Array, { kind, message, offset }: JsonFault, index: number): Outcome<never> {
  if (kind === "depth") {
    return refused("invalid", "json_depth", `Metric ${index + 1}: ${message}. Send flat JSON objects.`);
  }
  if (kind === "size") {
    return refused("too_large", "metric_bytes", `Metric ${index + 1}: ${message}. Send flat JSON objects.`);
  }
  const other = otherContent(body);
  if (other !== undefined) return refused("invalid", "metric", other);
  return refused(
    "invalid",
    "metric",
    `The body is neither JSON nor NDJSON: line ${lineOf(body, offset)} is not JSON (${message}).`,
  );
}

function lineOf(body: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = body.indexOf(0x0a); at >= 0 && at < offset; at = body.indexOf(0x0a, at + 1)) line++;
  return line;
}

/** Kinds of text that may be a batch of metrics with a fault in it. */
const textKinds: readonly Kind[] = ["json", "text", "base64", "collapsed", "empty", "unknown"];
const wanted = "Send HTTP metrics as a JSON array, or one JSON object a line.";

/** Names the content of a body that should be HTTP metrics and where to send it; undefined if it is not recognised. */
function otherContent(body: Uint8Array): string | undefined {
  const kind = sniff(body);
  if (kind === "pprof") {
    return isPprof(body)
      ? "The body is a pprof profile, not HTTP metrics: send it to /api/v1/ingest/profiles."
      : `The body is binary (protobuf or similar), not HTTP metrics. ${wanted}`;
  }
  if (kind === "html") {
    return `The body is an HTML page, not HTTP metrics. It is probably an error or login page: check the sender. ${wanted}`;
  }
  if (textKinds.includes(kind)) return undefined;
  const name = /this is (.+?)\. /.exec(refusalOf(kind) ?? "")?.[1];
  return name === undefined ? undefined : `The body is ${name}, not HTTP metrics. ${wanted}`;
}

/** Tag of the string table, whose first entry is empty. */
const stringTableTag = 6 * 8 + 2;

/** Whether the bytes are a complete protobuf message with a string table like pprof's. Nothing else is checked. */
function isPprof(body: Uint8Array): boolean {
  const wire = new WireReader(body);
  const end = body.length;
  let strings = 0;
  try {
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== stringTableTag) {
        wire.other(tag, end, "profile", []);
        continue;
      }
      const to = wire.block(end, "string_table");
      if (strings++ === 0 && to > wire.pos) return false;
      wire.pos = to;
    }
  } catch (error) {
    if (error instanceof ReadRefusal) return false;
    throw error;
  }
  return strings > 0;
}
