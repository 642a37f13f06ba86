import type { z } from "zod";

interface Statement<P> {
  /** Goes to logs, e.g. `timeline.cpu`. */
  readonly name: string;
  /** Literal text; values only as `{name:Type}` placeholders. No FORMAT clause. */
  readonly sql: string;
  readonly params: z.ZodType<P>;
  /**
   * Whether its result may be used again until rows of its scope change: for queries that read profiles, HTTP requests and what
   * the roll-ups sum of them, of the organization, service and hours that its parameters name (read-cache/read-scope.ts).
   */
  readonly isCacheable?: boolean;
  /** Whether it reads the stacks or values of `profiles`: thousands of numbers in each row. Such rows are read few at a time. */
  readonly hasWideRows?: boolean;
}

/** Either kind, for the client that runs both. */
export interface RowsStatement<P, R> extends Statement<P> {
  readonly row: z.ZodType<R>;
}

export type BytesStatement<P> = Statement<P>;

/** Reads rows of the organizations that its parameters name, and of no other. */
export interface Query<P, R> extends RowsStatement<P, R> {
  readonly scope: "organizations";
}

/** A query whose result comes as RowBinary bytes: for payloads and for long arrays of ids. */
export interface BytesQuery<P> extends BytesStatement<P> {
  readonly scope: "organizations";
}

/** Reads rows of all organizations, or the engine's own tables. Its result never goes to a user. */
export interface MaintenanceQuery<P, R> extends RowsStatement<P, R> {
  readonly scope: "store";
}

export interface ColumnReader {
  /** Runs read-only with bound parameters. Throws StoreUnavailable (try again) or QueryTooExpensive. */
  query<P, R>(query: Query<P, R>, params: P): Promise<R[]>;
  /** As `query`, but returns RowBinary; read it with RowBinaryReader. */
  queryBytes<P>(query: BytesQuery<P>, params: P): Promise<Buffer>;
}

/** The row of a query that always has exactly one. */
export async function queryOne<P, R>(
  columns: Pick<ColumnReader, "query">,
  query: Query<P, R>,
  params: P,
): Promise<R> {
  const row = await queryAtMostOne(columns, query, params);
  if (row === undefined) throw new Error(`${query.name} has no row`);
  return row;
}

/** The row of a query that has one or none. */
export async function queryAtMostOne<P, R>(
  columns: Pick<ColumnReader, "query">,
  query: Query<P, R>,
  params: P,
): Promise<R | undefined> {
  const rows = await columns.query(query, params);
  if (rows.length > 1) throw new Error(`${query.name} has ${rows.length} rows instead of one`);
  return rows[0];
}

export type OrganizationParams = { readonly orgId: string } | { readonly orgIds: readonly string[] };

/** Throws if the SQL reads a table without a condition on the organization. */
export function query<P extends OrganizationParams, R>(definition: RowsStatement<P, R>): Query<P, R> {
  return { ...bound(definition), scope: "organizations" };
}

export function bytesQuery<P extends OrganizationParams>(definition: BytesStatement<P>): BytesQuery<P> {
  return { ...bound(definition), scope: "organizations" };
}

export function maintenanceQuery<P, R>(definition: RowsStatement<P, R>): MaintenanceQuery<P, R> {
  return { ...definition, scope: "store" };
}

const tableRead = /\b(?:FROM|(?<!ARRAY )JOIN)\s+(\w+)/g;
const commonTable = /\b(\w+) AS \(/g;
const organizationCondition =
  /\borg_id (?:= \{orgId:UUID\}|IN \{orgIds:Array\(UUID\)\})|\(org_id\b[\w, ]*\) IN arrayZip\(\{orgIds:Array\(UUID\)\}/g;

/** As many conditions as tables read, subqueries included: a check against forgetting one, not a proof. */
function bound<S extends { readonly name: string; readonly sql: string }>(statement: S): S {
  const { name, sql } = statement;
  const common = new Set([...sql.matchAll(commonTable)].map(([, table]) => table));
  const tables = [...sql.matchAll(tableRead)].map(([, table]) => table).filter((table) => !common.has(table));
  const conditions = [...sql.matchAll(organizationCondition)].length;
  if (tables.length === 0 || conditions < tables.length) {
    throw new Error(`Query ${name} reads ${tables.join(", ")} and binds an organization ${conditions} times`);
  }
  return statement;
}
