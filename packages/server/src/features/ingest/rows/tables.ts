/** The tables a batch writes: the row that makes a profile visible comes last. */
export const tables = ["frames", "stacks", "http_requests", "profiles"] as const;
export type Table = (typeof tables)[number];

/** Names and order of the values in each table's rows. `_b64` columns are little-endian words. */
export const columns = {
  frames: ["org_id", "day", "frame_id", "function", "package", "file", "line", "start_line"],
  stacks: ["org_id", "day", "stack_id", "frame_ids_b64"],
  http_requests: [
    "org_id",
    "service",
    "at",
    "duration_seconds",
    "status_code",
    "method",
    "path",
    "request_id",
    "profile_id",
  ],
  profiles: [
    "org_id",
    "service",
    "type",
    "started_at",
    "profile_id",
    "received_at",
    "duration_ns",
    "tags",
    "facts",
    "sample_types",
    "totals",
    "sample_count",
    "stack_count",
    "original_bytes",
    "raw_bytes",
    "content_hash",
    "trimmed",
    "sender",
    "stacks",
    "deltas_totals",
    "values",
  ],
} as const satisfies Record<Table, readonly string[]>;

/**
 * The rows of `profiles` are nearly all numbers: the engine reads them in half the time where they are none in text. The
 * others are lines of JSON (JSONCompactEachRow).
 */
export const formatOf = (table: Table) => (table === "profiles" ? "RowBinary" : "JSONCompactEachRow");

/** Rows of each table in its format; a table without rows is left out. */
export type Rows = Partial<Record<Table, Uint8Array>>;

/** `2026-11-20 10:00:00.123`, which is what ClickHouse's fast parser of times reads. */
export function dateTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace("T", " ");
}
