/**
 * The messages of OTLP profiles as data (opentelemetry-proto, `v1development`): what each field refers to, and its form in JSON.
 * The layout of 1.9 and later; in 1.8 the fields of `Sample` have other numbers.
 */

export const tables = ["mapping", "location", "function", "link", "string", "attribute", "stack"] as const;
/** A table of the dictionary. Its field is its place in `tables`, counted from 1. */
export type Table = (typeof tables)[number];

export type Scalar = "string" | "base64" | "hex" | "bool" | "double" | "varint" | "sint32" | "fixed64";

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly isRepeated: boolean;
  readonly scalar?: Scalar;
  readonly message?: () => Message;
  /** Names of numbers that some senders write in JSON instead of the numbers. */
  readonly names?: Readonly<Record<string, number>>;
  /** The field holds indexes of the table at this place in `tables`. */
  readonly table?: number;
}

/** The fields by their numbers, from 1 on. */
export type Message = readonly Field[];

const one = (number: number, name: string, kind: Pick<Field, "scalar" | "message" | "table">): Field => ({
  number,
  name,
  isRepeated: false,
  ...kind,
});
const many = (...field: Parameters<typeof one>): Field => ({ ...one(...field), isRepeated: true });
const to = (table: Table) => ({ scalar: "varint", table: tables.indexOf(table) }) as const;
const of = (message: () => Message) => ({ message });
const string = { scalar: "string" } as const;
const base64 = { scalar: "base64" } as const;
const hex = { scalar: "hex" } as const;
const varint = { scalar: "varint" } as const;
const fixed64 = { scalar: "fixed64" } as const;

const anyValue: Message = [
  one(1, "string_value", string),
  one(2, "bool_value", { scalar: "bool" }),
  one(3, "int_value", varint),
  one(4, "double_value", { scalar: "double" }),
  one(
    5,
    "array_value",
    of(() => [
      many(
        1,
        "values",
        of(() => anyValue),
      ),
    ]),
  ),
  one(
    6,
    "kvlist_value",
    of(() => [
      many(
        1,
        "values",
        of(() => keyValue),
      ),
    ]),
  ),
  one(7, "bytes_value", base64),
  one(8, "string_value_strindex", to("string")),
];
const keyValue: Message = [
  one(1, "key", string),
  one(
    2,
    "value",
    of(() => anyValue),
  ),
  one(3, "key_strindex", to("string")),
];
const resource: Message = [
  many(
    1,
    "attributes",
    of(() => keyValue),
  ),
  one(2, "dropped_attributes_count", varint),
];
const scope: Message = [
  one(1, "name", string),
  one(2, "version", string),
  many(
    3,
    "attributes",
    of(() => keyValue),
  ),
  one(4, "dropped_attributes_count", varint),
];
const valueType: Message = [one(1, "type_strindex", to("string")), one(2, "unit_strindex", to("string"))];
export const sample: Message = [
  one(1, "stack_index", to("stack")),
  many(2, "attribute_indices", to("attribute")),
  one(3, "link_index", to("link")),
  many(4, "values", varint),
  many(5, "timestamps_unix_nano", fixed64),
];
export const sampleOf18: Message = [
  one(1, "stack_index", to("stack")),
  many(2, "values", varint),
  many(3, "attribute_indices", to("attribute")),
  one(4, "link_index", to("link")),
  many(5, "timestamps_unix_nano", fixed64),
];
export const profile: Message = [
  one(
    1,
    "sample_type",
    of(() => valueType),
  ),
  many(
    2,
    "samples",
    of(() => sample),
  ),
  one(3, "time_unix_nano", fixed64),
  one(4, "duration_nano", varint),
  one(
    5,
    "period_type",
    of(() => valueType),
  ),
  one(6, "period", varint),
  one(7, "profile_id", hex),
  one(8, "dropped_attributes_count", varint),
  one(9, "original_payload_format", string),
  one(10, "original_payload", base64),
  many(11, "attribute_indices", to("attribute")),
];
export const scopeProfiles: Message = [
  one(
    1,
    "scope",
    of(() => scope),
  ),
  many(
    2,
    "profiles",
    of(() => profile),
  ),
  one(3, "schema_url", string),
];
export const resourceProfiles: Message = [
  one(
    1,
    "resource",
    of(() => resource),
  ),
  many(
    2,
    "scope_profiles",
    of(() => scopeProfiles),
  ),
  one(3, "schema_url", string),
];
const line: Message = [
  one(1, "function_index", to("function")),
  one(2, "line", varint),
  one(3, "column", varint),
];
export const entries: Readonly<Record<Exclude<Table, "string">, Message>> = {
  mapping: [
    one(1, "memory_start", varint),
    one(2, "memory_limit", varint),
    one(3, "file_offset", varint),
    one(4, "filename_strindex", to("string")),
    many(5, "attribute_indices", to("attribute")),
  ],
  location: [
    one(1, "mapping_index", to("mapping")),
    one(2, "address", varint),
    many(
      3,
      "lines",
      of(() => line),
    ),
    many(4, "attribute_indices", to("attribute")),
  ],
  function: [
    one(1, "name_strindex", to("string")),
    one(2, "system_name_strindex", to("string")),
    one(3, "filename_strindex", to("string")),
    one(4, "start_line", varint),
  ],
  link: [one(1, "trace_id", hex), one(2, "span_id", hex)],
  attribute: [
    one(1, "key_strindex", to("string")),
    one(
      2,
      "value",
      of(() => anyValue),
    ),
    one(3, "unit_strindex", to("string")),
  ],
  stack: [many(1, "location_indices", to("location"))],
};
const dictionary: Message = tables.map((table, at) =>
  many(at + 1, `${table}_table`, table === "string" ? string : of(() => entries[table])),
);

/** `ExportProfilesServiceRequest`, and `ProfilesData`, which is the same. */
export const request: Message = [
  many(
    1,
    "resource_profiles",
    of(() => resourceProfiles),
  ),
  one(
    2,
    "dictionary",
    of(() => dictionary),
  ),
];
