import type { z } from "zod";

/** One query to the column store: its SQL, its parameters and the shape of a row. */
export interface Query<P, R> extends BytesQuery<P> {
  readonly row: z.ZodType<R>;
}

/** A query whose result comes as RowBinary bytes: for payloads and for long arrays of ids. */
export interface BytesQuery<P> {
  /** Goes to logs, e.g. `timeline.cpu`. */
  readonly name: string;
  /** Literal text; values only as `{name:Type}` placeholders. No FORMAT clause. */
  readonly sql: string;
  readonly params: z.ZodType<P>;
}

export function query<P, R>(definition: Query<P, R>): Query<P, R> {
  return definition;
}

export function bytesQuery<P>(definition: BytesQuery<P>): BytesQuery<P> {
  return definition;
}
