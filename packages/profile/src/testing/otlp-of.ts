import { block, bytesOf, number, packed, utf8 } from "./proto.ts";

type Text = string | number;

interface OtlpSample {
  /** Root first: `main;work`. A frame may be `name@file:line`, `mapping!0x1f`, or have a frame type before it: `kernel|schedule`. */
  readonly stack: string;
  readonly values?: readonly (number | bigint)[];
  readonly times?: readonly bigint[];
  readonly attributes?: Readonly<Record<string, Text>>;
  /** A trace and a span, in hex. */
  readonly link?: readonly [trace: string, span: string];
}

export interface OtlpProfile {
  /** `samples/count` by default. */
  readonly type?: string;
  readonly period?: readonly [type: string, value: number];
  readonly timeNs?: bigint;
  readonly durationNs?: bigint;
  readonly samples: readonly OtlpSample[];
  readonly attributes?: Readonly<Record<string, Text>>;
  readonly original?: readonly [format: string, bytes: Uint8Array];
}

interface OtlpResource {
  readonly attributes?: Readonly<Record<string, Text>>;
  readonly scope?: Readonly<Record<string, Text>>;
  readonly profiles: readonly OtlpProfile[];
}

interface Layout {
  /** The protocol whose field numbers are used: those of 1.9 and later by default. */
  readonly version?: "1.8" | "1.9";
  readonly hasDictionaryFirst?: boolean;
}

/** An `ExportProfilesServiceRequest`, written field by field. */
export function otlpOf(
  resources: readonly OtlpResource[],
  { version = "1.9", hasDictionaryFirst = false }: Layout = {},
): Uint8Array {
  const tables = new Tables();
  const sent = resources.map(({ attributes = {}, scope = {}, profiles }) =>
    block(
      1,
      block(1, ...keyValues(1, attributes)),
      block(
        2,
        block(1, block(1, "test-profiler"), ...keyValues(3, scope)),
        ...profiles.map((profile) => block(2, ...profileFields(profile, tables, version))),
      ),
      block(3, "https://opentelemetry.io/schemas/1.37.0"),
    ),
  );
  const dictionary = tables.message();
  return hasDictionaryFirst ? bytesOf(dictionary, ...sent) : bytesOf(...sent, dictionary);
}

function keyValues(field: number, attributes: Readonly<Record<string, Text>>): number[][] {
  return Object.entries(attributes).map(([key, value]) =>
    block(field, block(1, key), block(2, anyValue(value))),
  );
}

function anyValue(value: Text): number[] {
  return typeof value === "string" ? block(1, value) : number(3, value);
}

function profileFields(profile: OtlpProfile, tables: Tables, version: "1.8" | "1.9"): number[][] {
  const {
    type = "samples/count",
    period,
    timeNs = 0n,
    durationNs = 0n,
    samples,
    attributes = {},
    original,
  } = profile;
  return [
    block(1, ...tables.valueType(type)),
    ...samples.map((sample) => block(2, ...sampleFields(sample, tables, version))),
    [0x19, ...fixed64(timeNs)],
    number(4, durationNs),
    ...(period === undefined ? [] : [block(5, ...tables.valueType(period[0])), number(6, period[1])]),
    ...(original === undefined ? [] : [block(9, original[0]), block(10, [...original[1]])]),
    packed(11, ...tables.attributes(attributes)),
  ];
}

function sampleFields(
  { stack, values = [], times = [], attributes = {}, link }: OtlpSample,
  tables: Tables,
  version: "1.8" | "1.9",
): number[][] {
  const fields =
    version === "1.9" ? { attributes: 2, link: 3, values: 4 } : { values: 2, attributes: 3, link: 4 };
  const indexes = tables.attributes(attributes);
  return [
    number(1, tables.stack(stack)),
    indexes.length === 0 ? [] : packed(fields.attributes, ...indexes),
    link === undefined ? [] : number(fields.link, tables.link(link)),
    values.length === 0 ? [] : packed(fields.values, ...values),
    times.length === 0 ? [] : block(5, times.flatMap(fixed64)),
  ];
}

function fixed64(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
}

/** The dictionary; entry 0 of each table is empty. */
class Tables {
  readonly #entries: Record<string, number[][]> = {};
  readonly #stacks = new Map<string, number>();

  message(): number[] {
    const names = ["mapping", "location", "function", "link", "string", "attribute", "stack"];
    for (const name of names) this.#add(name, []);
    return block(
      2,
      ...names.flatMap((name, at) => this.#entries[name]!.map((entry) => block(at + 1, entry))),
    );
  }

  #add(table: string, entry: number[]): number {
    this.#entries[table] ??= [[]];
    const entries = this.#entries[table];
    const known = entries.findIndex((each) => each.join() === entry.join());
    return known >= 0 ? known : entries.push(entry) - 1;
  }

  string(text: string): number {
    return this.#add("string", utf8(text));
  }

  valueType(text: string): number[][] {
    const [type = "", unit = ""] = text.split("/");
    return [number(1, this.string(type)), number(2, this.string(unit))];
  }

  attributes(attributes: Readonly<Record<string, Text>>): number[] {
    return Object.entries(attributes).map(([key, value]) =>
      this.#add("attribute", [...number(1, this.string(key)), ...block(2, anyValue(value))]),
    );
  }

  link([trace, span]: readonly [string, string]): number {
    return this.#add("link", [...block(1, bytesOfHex(trace)), ...block(2, bytesOfHex(span))]);
  }

  /** Remembered by its text, because of many samples with one deep stack. */
  stack(text: string): number {
    const known = this.#stacks.get(text);
    if (known !== undefined) return known;
    const added = this.#addStack(text);
    this.#stacks.set(text, added);
    return added;
  }

  #addStack(text: string): number {
    const locations = text
      .split(";")
      .reverse()
      .map((frame) => this.#location(frame));
    return this.#add("stack", packed(1, ...locations));
  }

  #location(frame: string): number {
    const [, frameType = "", name = ""] = /^(?:(\w+)\|)?(.*)$/.exec(frame) ?? [];
    const types = frameType === "" ? [] : this.attributes({ "profile.frame.type": frameType });
    const kernel = frameType === "kernel" ? number(1, this.#mapping("vmlinux")) : [];
    const [, file, address] = /^(.+)!0x([0-9a-f]+)$/.exec(name) ?? [];
    if (file !== undefined) {
      return this.#add("location", [
        ...number(1, this.#mapping(file)),
        ...number(2, Number.parseInt(address!, 16)),
        ...packed(4, ...types),
      ]);
    }
    // Inlined functions come first: `inlined<caller`.
    const lines = name.split("<").flatMap((each) => block(3, ...this.#line(each)));
    return this.#add("location", [...kernel, ...number(2, 4096), ...lines, ...packed(4, ...types)]);
  }

  #line(text: string): number[][] {
    const [, name = "", file = "", line = "0"] = /^([^@]*)(?:@(.*):(\d+))?$/.exec(text) ?? [];
    const fn = [...number(1, this.string(name)), ...number(3, this.string(file))];
    return [number(1, this.#add("function", fn)), number(2, Number(line))];
  }

  #mapping(file: string): number {
    const buildId = this.attributes({ "process.executable.build_id.gnu": `build-of-${file}` });
    return this.#add("mapping", [
      ...number(1, 0),
      ...number(2, 0x100000),
      ...number(4, this.string(file)),
      ...packed(5, ...buildId),
    ]);
  }
}

function bytesOfHex(text: string): number[] {
  return (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}
