import { headerBytes } from "../formats/jfr/metadata.ts";

/** A recording of one chunk, with what may be wrong in it. */
export interface RecordingParts {
  /** By id: frames such as `shop/Cart.add:3`, root first. */
  readonly stacks: Readonly<Record<string, readonly string[]>>;
  /** Ids of stacks whose root is missing. */
  readonly truncated?: readonly number[];
  /** By id: a name, or the id of a text. */
  readonly states?: Readonly<Record<string, string | number>>;
  /** By id: texts that are the text of another id. */
  readonly texts?: Readonly<Record<string, number>>;
  readonly events: readonly MadeEvent[];
  /** Of async-profiler. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly isCompressed?: boolean;
  /** Compressed numbers have nine bytes each, as many as a number may have. */
  readonly isPadded?: boolean;
  /** A class that each class has within it. */
  readonly inner?: Readonly<Record<string, string>>;
  /** The distance to the next constants; "circle" writes them twice, so that they name each other. */
  readonly delta?: number | "circle";
  readonly eventSize?: number;
  readonly version?: number;
  /** The size of the chunk, as its header says. */
  readonly size?: number;
  /** The offset of the metadata, as the header says. */
  readonly metadata?: number;
}

interface MadeEvent {
  readonly event: string;
  readonly [field: string]: string | number | bigint;
}

/** Fields are `name:class`, with `*` for the id of a constant, and `[]` for a list. */
const classes: Readonly<Record<string, string>> = {
  int: "",
  long: "",
  boolean: "",
  "java.lang.String": "",
  "java.lang.Class": "name:*jdk.types.Symbol",
  "jdk.types.Symbol": "string:java.lang.String",
  "jdk.types.Method": "type:*java.lang.Class name:*jdk.types.Symbol",
  "jdk.types.StackFrame": "method:*jdk.types.Method lineNumber:int",
  "jdk.types.StackTrace": "truncated:boolean frames:jdk.types.StackFrame[]",
  "jdk.types.ThreadState": "name:java.lang.String",
  "jdk.ExecutionSample":
    "startTime:long stackTrace:*jdk.types.StackTrace state:*jdk.types.ThreadState contextId:long spanId:long spanName:long",
  "jdk.ThreadPark": "startTime:long duration:long stackTrace:*jdk.types.StackTrace",
  "jdk.ActiveSetting": "startTime:long id:long name:java.lang.String value:java.lang.String",
};
const classNames = Object.keys(classes);
const idOf = (name: string) => 100 + classNames.indexOf(name);

type Encoding = { readonly isCompressed: boolean; readonly isPadded?: boolean | undefined };

class Numbers {
  readonly bytes: number[] = [];
  readonly #isCompressed: boolean;
  readonly #isPadded: boolean;

  constructor({ isCompressed, isPadded = false }: Encoding) {
    this.#isCompressed = isCompressed;
    this.#isPadded = isPadded;
  }

  long(value: number | bigint): this {
    let left = BigInt.asUintN(64, BigInt(value));
    if (!this.#isCompressed) return this.#wide(left, 8);
    for (let group = 0; group < 8; group++, left >>= 7n) {
      if (left < 0x80n && !this.#isPadded) return this.#push(Number(left));
      this.#push(Number(left & 0x7fn) | 0x80);
    }
    return this.#push(Number(left));
  }

  int(value: number): this {
    return this.#isCompressed ? this.long(value >>> 0) : this.#wide(BigInt(value >>> 0), 4);
  }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    this.#push(3).int(bytes.length);
    this.bytes.push(...bytes);
    return this;
  }

  /** The text of another id. */
  textOf(id: number): this {
    return this.#push(2).long(id);
  }

  boolean(value: boolean): this {
    return this.#push(value ? 1 : 0);
  }

  of(inner: Numbers): this {
    for (const byte of inner.bytes) this.bytes.push(byte);
    return this;
  }

  #wide(value: bigint, size: number): this {
    for (let shift = 8 * (size - 1); shift >= 0; shift -= 8)
      this.#push(Number((value >> BigInt(shift)) & 0xffn));
    return this;
  }

  #push(byte: number): this {
    this.bytes.push(byte);
    return this;
  }
}

/** Bytes of an event; its size is one byte, or four, more than its content. */
function eventOf(content: Numbers, encoding: Encoding, size?: number): Numbers {
  const empty = new Numbers(encoding).int(size ?? 0).bytes.length;
  let length = content.bytes.length + empty;
  if (size === undefined && encoding.isCompressed)
    while (new Numbers(encoding).int(length).bytes.length + content.bytes.length !== length) length++;
  return new Numbers(encoding).int(size ?? length).of(content);
}

export function recordingOf(parts: RecordingParts): Uint8Array<ArrayBuffer> {
  const { isCompressed = parts.delta !== "circle", isPadded, events, settings = {}, eventSize } = parts;
  const encoding = { isCompressed, isPadded };
  const body = new Numbers(encoding);
  for (const [name, value] of Object.entries(settings)) {
    const content = new Numbers(encoding)
      .long(idOf("jdk.ActiveSetting"))
      .long(0)
      .long(0)
      .text(name)
      .text(value);
    body.of(eventOf(content, encoding));
  }
  for (const event of events) body.of(eventOf(contentOf(event, encoding), encoding, eventSize));
  const metadata = headerBytes + body.bytes.length;
  body.of(metadataOf(parts, encoding));
  let constants = headerBytes + body.bytes.length;
  if (parts.delta === "circle") {
    const size = constantsOf(parts, encoding, 0).bytes.length;
    body.of(constantsOf(parts, encoding, size)).of(constantsOf(parts, encoding, -size));
    constants += size;
  } else body.of(constantsOf(parts, encoding, parts.delta ?? 0));

  const bytes = new Uint8Array(headerBytes + body.bytes.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x46, 0x4c, 0x52, 0]);
  view.setUint16(4, parts.version ?? 2);
  view.setBigInt64(8, BigInt(parts.size ?? bytes.length));
  view.setBigInt64(16, BigInt(constants));
  view.setBigInt64(24, BigInt(parts.metadata ?? metadata));
  view.setBigInt64(32, 1_790_000_000_000_000_000n);
  view.setBigInt64(40, 10_000_000_000n);
  view.setBigInt64(56, 1_000_000_000n);
  view.setUint32(64, isCompressed ? 1 : 0);
  bytes.set(body.bytes, headerBytes);
  return bytes;
}

function contentOf(event: MadeEvent, encoding: Encoding): Numbers {
  const content = new Numbers(encoding).long(idOf(event.event));
  for (const field of (classes[event.event] ?? "").split(" "))
    content.long(BigInt(event[field.split(":")[0]!] ?? 0));
  return content;
}

function metadataOf({ inner = {} }: RecordingParts, encoding: Encoding): Numbers {
  const texts: string[] = [];
  const indexOf = (text: string) => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const element = (name: string, attributes: Record<string, string>, children: Numbers[]): Numbers => {
    const numbers = new Numbers(encoding).int(indexOf(name)).int(Object.keys(attributes).length);
    for (const [key, value] of Object.entries(attributes)) numbers.int(indexOf(key)).int(indexOf(value));
    numbers.int(children.length);
    for (const child of children) numbers.of(child);
    return numbers;
  };
  const elements = classNames.map((name) => {
    const fields = [
      ...classes[name]!.split(" ").filter(Boolean),
      ...(inner[name] ? [`inner:${inner[name]}`] : []),
    ];
    const children = fields.map((field) => {
      const [, label = "", constant, type = "", list] = /^(\w+):(\*?)([\w.]+)(\[\])?$/.exec(field) ?? [];
      const attributes = {
        name: label,
        class: String(idOf(type)),
        ...(constant && { constantPool: "true" }),
        ...(list && { dimension: "1" }),
      };
      return element("field", attributes, []);
    });
    return element("class", { id: String(idOf(name)), name }, children);
  });
  const tree = element("root", {}, [element("metadata", {}, elements), element("region", {}, [])]);
  const content = new Numbers(encoding).long(0).long(0).long(0).long(1).int(texts.length);
  for (const text of texts) content.text(text);
  return eventOf(content.of(tree), encoding);
}

function constantsOf(
  { stacks, truncated = [], states = {}, texts = {} }: RecordingParts,
  encoding: Encoding,
  delta: number,
) {
  const symbols: string[] = [];
  const symbol = (text: string) =>
    (symbols.includes(text) ? symbols.indexOf(text) : symbols.push(text) - 1) + 1;
  const methods: string[] = [];
  const numbers = () => new Numbers(encoding);
  const traces = Object.entries(stacks).map(([id, frames]) => {
    const trace = numbers()
      .long(BigInt(id))
      .boolean(truncated.includes(Number(id)))
      .int(frames.length);
    for (const frame of frames.toReversed()) {
      const [name = "", line = "0"] = frame.split(":");
      if (!methods.includes(name)) methods.push(name);
      trace.long(methods.indexOf(name) + 1).int(Number(line));
    }
    return trace;
  });
  const split = methods.map((name) => [
    name.slice(0, name.lastIndexOf(".")),
    name.slice(name.lastIndexOf(".") + 1),
  ]);
  const pools: [string, Numbers[]][] = [
    ["jdk.types.StackTrace", traces],
    [
      "jdk.types.Method",
      split.map(([, name], i) =>
        numbers()
          .long(i + 1)
          .long(i + 1)
          .long(symbol(name!)),
      ),
    ],
    [
      "java.lang.Class",
      split.map(([type], i) =>
        numbers()
          .long(i + 1)
          .long(symbol(type!)),
      ),
    ],
    [
      "jdk.types.Symbol",
      symbols.map((text, i) =>
        numbers()
          .long(i + 1)
          .text(text),
      ),
    ],
    [
      "jdk.types.ThreadState",
      Object.entries(states).map(([id, name]) => {
        const state = numbers().long(BigInt(id));
        return typeof name === "number" ? state.textOf(name) : state.text(name);
      }),
    ],
    [
      "java.lang.String",
      Object.entries(texts).map(([id, other]) => numbers().long(BigInt(id)).textOf(other)),
    ],
  ];
  const content = numbers().long(1).long(0).long(0).long(delta).boolean(false).int(pools.length);
  for (const [name, constants] of pools) {
    content.long(idOf(name)).int(constants.length);
    for (const constant of constants) content.of(constant);
  }
  return eventOf(content, encoding);
}
