/** The tables a batch writes: the row that makes a profile visible comes last. */
export const tables = ["frames", "stacks", "http_requests", "profiles"] as const;
export type Table = (typeof tables)[number];

/**
 * Rows that are nearly all numbers are in binary: it takes the engine half the time or less to read them. HTTP requests are lines of
 * JSON (JSONCompactEachRow).
 */
export const formatOf = (table: Table) => (table === "http_requests" ? "JSONCompactEachRow" : "RowBinary");

/** Rows of each table in its format, those of stacks packed (packed-stacks.ts); a table without rows is left out. */
export type Rows = Partial<Record<Table, Uint8Array>>;
