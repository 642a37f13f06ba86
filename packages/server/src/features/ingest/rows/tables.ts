/** The tables a batch writes: the row that makes a profile visible comes last. */
export const tables = ["frames", "stacks", "http_requests", "profiles"] as const;
export type Table = (typeof tables)[number];

/**
 * The rows of `profiles` are nearly all numbers: the engine reads them in half the time in binary. The others are lines of JSON
 * (JSONCompactEachRow).
 */
export const formatOf = (table: Table) => (table === "profiles" ? "RowBinary" : "JSONCompactEachRow");

/** Rows of each table in its format; a table without rows is left out. */
export type Rows = Partial<Record<Table, Uint8Array>>;
