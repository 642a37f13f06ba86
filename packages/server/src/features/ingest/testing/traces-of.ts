import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

type Value = string | number | { readonly list: readonly string[] };

export interface SentSpan {
  readonly attributes: Readonly<Record<string, Value>>;
  /** 2, a server's, unless given. */
  readonly kind?: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly traceId?: string;
}

export interface SentResource {
  readonly attributes?: Readonly<Record<string, Value>>;
  readonly spans: readonly SentSpan[];
}

/** An `ExportTraceServiceRequest` in protobuf, with fields besides those that are read. */
export function tracesOf(resources: readonly SentResource[]): Buffer<ArrayBuffer> {
  const writer = new BinaryWriter();
  for (const { attributes = {}, spans } of resources) {
    const resource = writer.uint32(tagOf(1)).fork();
    // Spans come before their resource: fields have no order.
    const scope = resource.uint32(tagOf(2)).fork();
    scope.uint32(tagOf(1)).fork().uint32(tagOf(1)).string("scope of a library").join();
    for (const span of spans) writeSpan(scope.uint32(tagOf(2)).fork(), span);
    scope.join();
    writeAttributes(resource.uint32(tagOf(1)).fork(), 1, attributes).join();
    resource.join();
  }
  return Buffer.from(writer.finish());
}

/** The same request in JSON. */
export function jsonTracesOf(resources: readonly SentResource[]): Buffer<ArrayBuffer> {
  const resourceSpans = resources.map(({ attributes = {}, spans }) => ({
    resource: { attributes: jsonAttributes(attributes), unknownField: 1 },
    scopeSpans: [
      {
        scope: { name: "scope of a library" },
        spans: spans.map(({ attributes: own, kind = 2, startNs, endNs, traceId = "" }) => ({
          traceId,
          name: "span",
          kind,
          startTimeUnixNano: String(startNs),
          endTimeUnixNano: String(endNs),
          attributes: jsonAttributes(own),
          status: { code: 2 },
        })),
      },
    ],
  }));
  return Buffer.from(JSON.stringify({ resourceSpans }));
}

function jsonAttributes(attributes: Readonly<Record<string, Value>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) }));
}

function jsonValue(value: Value) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: String(value) };
  return { arrayValue: { values: value.list.map((stringValue) => ({ stringValue })) } };
}

function tagOf(field: number): number {
  return field * 8 + WireType.LengthDelimited;
}

function writeSpan(writer: BinaryWriter, span: SentSpan): void {
  const { attributes, kind = 2, startNs, endNs, traceId = "" } = span;
  if (traceId !== "") writer.uint32(tagOf(1)).bytes(Buffer.from(traceId, "hex"));
  writer.uint32(tagOf(5)).string("span");
  if (kind !== 0) writer.tag(6, WireType.Varint).int32(kind);
  writer.tag(7, WireType.Bit64).fixed64(startNs).tag(8, WireType.Bit64).fixed64(endNs);
  writeAttributes(writer, 9, attributes);
  writer.uint32(tagOf(15)).fork().tag(3, WireType.Varint).int32(2).join();
  writer.join();
}

function writeAttributes(
  writer: BinaryWriter,
  field: number,
  attributes: Readonly<Record<string, Value>>,
): BinaryWriter {
  for (const [key, value] of Object.entries(attributes)) {
    const attribute = writer.uint32(tagOf(field)).fork().uint32(tagOf(1)).string(key);
    writeValue(attribute.uint32(tagOf(2)).fork(), value);
    attribute.join();
  }
  return writer;
}

function writeValue(writer: BinaryWriter, value: Value): void {
  if (typeof value === "string") writer.uint32(tagOf(1)).string(value);
  else if (typeof value === "number") writer.tag(3, WireType.Varint).int64(value);
  else {
    const list = writer.uint32(tagOf(5)).fork();
    for (const text of value.list) list.uint32(tagOf(1)).fork().uint32(tagOf(1)).string(text).join();
    list.join();
  }
  writer.join();
}
