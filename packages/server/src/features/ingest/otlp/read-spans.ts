import { WireReader } from "@flamekeep/profile";
import { eachOfResources, millisecondsOf, numberOf, requestOf } from "./http-messages.ts";
import { KnownAttributes } from "./known-attributes.ts";

/** A request that an HTTP server answered, as its span has it. */
export interface HttpSpan {
  /** Unix milliseconds; 0 if the span has no start. */
  readonly startMs: number;
  /** Negative if the span ends before it starts. */
  readonly durationSeconds: number;
  readonly method: string;
  /** The template of the route, else the path without its query. */
  readonly path: string;
  readonly statusCode: number;
  /** 32 hex characters, or "". */
  readonly traceId: string;
}

/** Why a span is no request: another kind than SERVER, no method, or neither a status nor a path, as for requests that were cut off. */
export type Dropped = "span_not_server" | "span_not_http" | "span_without_status";

const serverKind = 2;
/**
 * Hands over the spans of HTTP servers in an `ExportTraceServiceRequest` (opentelemetry-proto 1.x), with the service of their
 * resource. Returns how many other spans there were.
 *
 * @throws ReadRefusal if the bytes are no such message
 */
export function readSpans(
  bytes: Uint8Array,
  take: (service: string, span: HttpSpan) => void,
): ReadonlyMap<Dropped, number> {
  const wire = new WireReader(bytes);
  const spans = new SpanReader(wire);
  const dropped = new Map<Dropped, number>();
  const attributes = new KnownAttributes(wire);
  const fields = { resources: "resource_spans", scopes: "scope_spans", items: "spans" };
  eachOfResources(wire, attributes, fields, (end, { service }) => {
    const span = spans.read(end);
    if (typeof span === "string") dropped.set(span, (dropped.get(span) ?? 0) + 1);
    else take(service, span);
  });
  return dropped;
}

class SpanReader {
  readonly #wire: WireReader;
  readonly #attributes: KnownAttributes;

  constructor(wire: WireReader) {
    this.#wire = wire;
    this.#attributes = new KnownAttributes(wire);
  }

  read(end: number): HttpSpan | Dropped {
    const wire = this.#wire;
    const attributes = this.#attributes;
    attributes.clear();
    let kind = 0;
    let [idStart, idEnd, startLow, startHigh, endLow, endHigh] = [0, 0, 0, 0, 0, 0];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x4a) {
        const stop = wire.block(end, "spans.attributes");
        attributes.read(stop);
        wire.pos = stop;
      } else if (tag === 0x30) {
        wire.varint(end);
        kind = wire.lo;
        if (kind !== serverKind) return "span_not_server";
      } else if (tag === 0x39) {
        wire.fixed64(end, "spans.start_time_unix_nano");
        [startLow, startHigh] = [wire.lo, wire.hi];
      } else if (tag === 0x41) {
        wire.fixed64(end, "spans.end_time_unix_nano");
        [endLow, endHigh] = [wire.lo, wire.hi];
      } else if (tag === 0x0a) {
        idEnd = wire.block(end, "spans.trace_id");
        idStart = wire.pos;
        wire.pos = idEnd;
      } else wire.other(tag, end, "spans", []);
    }
    if (kind !== serverKind) return "span_not_server";
    const { method, path, status } = requestOf(attributes);
    if (method === "") return "span_not_http";
    if (status === "" || path === "") return "span_without_status";
    return {
      method,
      path,
      statusCode: Number(status),
      startMs: millisecondsOf(startLow, startHigh),
      durationSeconds: numberOf(endLow - startLow, endHigh - startHigh) / 1e9,
      traceId: idEnd - idStart === 16 ? hexOf(wire.bytes, idStart, idEnd) : "",
    };
  }
}

function hexOf({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  const id = Buffer.from(buffer, byteOffset + start, end - start).toString("hex");
  return /^0+$/.test(id) ? "" : id;
}
