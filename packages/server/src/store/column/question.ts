import type { z } from "zod";

/** One question to the column store: its SQL, what it needs and what a row of the answer is. */
export interface Question<P, R> {
  /** Goes to logs, e.g. `timeline.cpu`. */
  readonly name: string;
  /** Literal text; values only as `{name:Type}` placeholders. No FORMAT clause. */
  readonly sql: string;
  readonly params: z.ZodType<P>;
  readonly row: z.ZodType<R>;
}

/** As a question, but the answer comes as RowBinary bytes: for payloads and for long arrays of ids. */
export interface BytesQuestion<P> {
  readonly name: string;
  readonly sql: string;
  readonly params: z.ZodType<P>;
}

export function question<P, R>(definition: Question<P, R>): Question<P, R> {
  return definition;
}

export function bytesQuestion<P>(definition: BytesQuestion<P>): BytesQuestion<P> {
  return definition;
}
