import type { WireReader } from "@flamekeep/profile";
import type { KnownAttributes } from "./known-attributes.ts";

/** The service of resources without a name. */
const unknownService = "unknown_service";

const twoTo32 = 4_294_967_296;
/** 2^32 nanoseconds in whole milliseconds, and the rest in nanoseconds. */
const [wordMs, wordRestNs] = [4294, 967_296];

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

/** The names of the fields with resources and with what resources contain; each has the same number for spans and metrics. */
interface ResourceFields {
  readonly resources: string;
  readonly scopes: string;
  readonly items: string;
}

/** Offsets of a message. */
export type Range = readonly [start: number, end: number];

/** Where a span or metric is: the messages of all that its resource sent, and its scope. */
export interface Origin {
  readonly service: string;
  readonly resource: Range;
  readonly scope: Range;
}

/**
 * Calls `read` with the end of each span or metric. Fields have no order, so that each resource is looked through twice: first for its
 * attributes.
 */
export function eachOfResources(
  wire: WireReader,
  attributes: KnownAttributes,
  { resources, scopes, items }: ResourceFields,
  read: (end: number, origin: Origin) => void,
): void {
  eachMessage(wire, wire.bytes.length, 1, resources, (end) => {
    const start = wire.pos;
    attributes.clear();
    eachMessage(wire, end, 1, "resource", (resourceEnd) =>
      eachMessage(wire, resourceEnd, 1, "resource.attributes", (stop) => attributes.read(stop)),
    );
    const service = attributes.text("service.name") || unknownService;
    wire.pos = start;
    eachMessage(wire, end, 2, scopes, (scopeEnd) => {
      const origin = { service, resource: [start, end], scope: [wire.pos, scopeEnd] } as const;
      eachMessage(wire, scopeEnd, 2, items, (itemEnd) => read(itemEnd, origin));
    });
  });
}

/** Unix nanoseconds in two halves of 32 bits, in whole milliseconds. */
export function millisecondsOf(low: number, high: number): number {
  return high * wordMs + Math.floor((high * wordRestNs + low) / 1_000_000);
}

/** A number of 64 bits in two halves; rounded beyond 2^53. */
export function numberOf(low: number, high: number): number {
  return high * twoTo32 + low;
}

/** A request as attributes describe it; without a template of its route, `path` is the path without its query, or "". */
export function requestOf(attributes: KnownAttributes) {
  return {
    method: attributes.text("http.request.method") || attributes.text("http.method"),
    path: attributes.text("http.route") || rawPath(attributes),
    status: attributes.text("http.response.status_code") || attributes.text("http.status_code"),
  };
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
