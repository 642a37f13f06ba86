import { WireReader } from "@flamekeep/profile";
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
const twoTo32 = 4_294_967_296;
/** 2^32 nanoseconds in whole milliseconds, and the rest in nanoseconds. */
const [wordMs, wordRestNs] = [4294, 967_296];

/**
 * Hands over the spans of HTTP servers in an `ExportTraceServiceRequest` (opentelemetry-proto 1.x), with the `service.name` of their
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
  eachMessage(wire, bytes.length, 1, "resource_spans", (end) => {
    const start = wire.pos;
    attributes.clear();
    eachMessage(wire, end, 1, "resource", (resourceEnd) =>
      eachMessage(wire, resourceEnd, 1, "resource.attributes", (stop) => attributes.read(stop)),
    );
    const service = attributes.text("service.name");
    wire.pos = start;
    eachMessage(wire, end, 2, "scope_spans", (scopeEnd) =>
      eachMessage(wire, scopeEnd, 2, "spans", (spanEnd) => {
        const span = spans.read(spanEnd);
        if (typeof span === "string") dropped.set(span, (dropped.get(span) ?? 0) + 1);
        else take(service, span);
      }),
    );
  });
  return dropped;
}

/** Calls `read` with the end of each message of a field, and skips other fields. */
export function eachMessage(
  wire: WireReader,
  end: number,
  field: number,
  name: string,
  read: (end: number) => void,
): void {
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === field * 8 + 2) {
      const stop = wire.block(end, name);
      read(stop);
      wire.pos = stop;
    } else wire.other(tag, end, name, []);
  }
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
    const request = requestOf(attributes);
    if (typeof request === "string") return request;
    return {
      ...request,
      startMs: startHigh * wordMs + Math.floor((startHigh * wordRestNs + startLow) / 1_000_000),
      durationSeconds: ((endHigh - startHigh) * twoTo32 + (endLow - startLow)) / 1e9,
      traceId: idEnd - idStart === 16 ? hexOf(wire.bytes, idStart, idEnd) : "",
    };
  }
}

function requestOf(attributes: KnownAttributes): Pick<HttpSpan, "method" | "path" | "statusCode"> | Dropped {
  const method = attributes.text("http.request.method") || attributes.text("http.method");
  if (method === "") return "span_not_http";
  const status = attributes.text("http.response.status_code") || attributes.text("http.status_code");
  const path = attributes.text("http.route") || rawPath(attributes);
  if (status === "" || path === "") return "span_without_status";
  return { method, path, statusCode: Number(status) };
}

/** The path that was called, without its query: queries differ between requests, and may hold secrets. */
function rawPath(attributes: KnownAttributes): string {
  const target = attributes.text("url.path") || attributes.text("http.target") || attributes.text("http.url");
  const withoutQuery = /^[^?#]*/.exec(target)![0];
  const scheme = withoutQuery.indexOf("://");
  if (scheme < 0 || withoutQuery.startsWith("/")) return withoutQuery;
  const slash = withoutQuery.indexOf("/", scheme + 3);
  return slash < 0 ? "/" : withoutQuery.slice(slash);
}

function hexOf({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  const id = Buffer.from(buffer, byteOffset + start, end - start).toString("hex");
  return /^0+$/.test(id) ? "" : id;
}
