import type { WireReader } from "@flamekeep/profile";

/** The attributes that are read, of resources and of spans: current names of HTTP before earlier ones. */
const names = [
  "service.name",
  "http.request.method",
  "http.method",
  "http.response.status_code",
  "http.status_code",
  "http.route",
  "url.path",
  "http.target",
  "http.url",
] as const;
type Name = (typeof names)[number];

const indexes = Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
const namesByLength: (readonly { readonly index: number; readonly text: Buffer }[])[] = [];
for (const [index, name] of names.entries()) {
  namesByLength[name.length] = [...(namesByLength[name.length] ?? []), { index, text: Buffer.from(name) }];
}

/**
 * The attributes of one span or resource, as places in the bytes: only the texts that are asked for are decoded. Other attributes, and
 * values that are neither texts nor whole numbers, are skipped whatever they contain.
 */
export class KnownAttributes {
  readonly #wire: WireReader;
  readonly #bytes: Buffer;
  /** Where the value of each name begins; -1 if there is none. */
  readonly #starts = new Int32Array(names.length).fill(-1);
  readonly #ends = new Int32Array(names.length);

  constructor(wire: WireReader) {
    const { buffer, byteOffset, byteLength } = wire.bytes;
    this.#wire = wire;
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
  }

  clear(): void {
    this.#starts.fill(-1);
  }

  /** Reads the `KeyValue` that ends at `end`. */
  read(end: number): void {
    const wire = this.#wire;
    let [name, start, stop] = [-1, -1, -1];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x0a) {
        const keyEnd = wire.block(end, "attributes.key");
        name = this.#nameAt(wire.pos, keyEnd);
        wire.pos = keyEnd;
      } else if (tag === 0x12) {
        stop = wire.block(end, "attributes.value");
        start = wire.pos;
        wire.pos = stop;
      } else wire.other(tag, end, "attributes", []);
    }
    if (name < 0 || start < 0) return;
    this.#starts[name] = start;
    this.#ends[name] = stop;
  }

  /** The text of an attribute, a number in decimal; "" if there is none. */
  text(name: Name): string {
    const wire = this.#wire;
    const index = indexes[name];
    const after = wire.pos;
    const end = this.#ends[index]!;
    let found = "";
    wire.pos = this.#starts[index]! < 0 ? end : this.#starts[index]!;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x0a) {
        const stop = wire.block(end, name);
        found = this.#bytes.toString("utf8", wire.pos, stop);
        wire.pos = stop;
      } else if (tag === 0x18) {
        wire.varint(end);
        found = String(wire.signed());
      } else wire.other(tag, end, name, []);
    }
    wire.pos = after;
    return found;
  }

  #nameAt(start: number, end: number): number {
    for (const { index, text } of namesByLength[end - start] ?? []) {
      if (this.#bytes.compare(text, 0, text.length, start, end) === 0) return index;
    }
    return -1;
  }
}
