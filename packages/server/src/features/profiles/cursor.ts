import { invalid } from "#failure";

/** Position of the last profile of a page: the next page begins after it. */
export interface PageEnd {
  readonly startedAtMs: number;
  readonly profileId: string;
}

const pattern = /^(\d{1,15})\.([0-9a-f]{32})$/;

export function toCursor(end: PageEnd): string {
  return Buffer.from(`${end.startedAtMs}.${end.profileId}`).toString("base64url");
}

/** Throws `invalid` for a text that `toCursor` did not write. */
export function fromCursor(cursor: string): PageEnd {
  const match = pattern.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (match === null) throw invalid("Query parameter cursor must be the next_cursor of an earlier page");
  return { startedAtMs: Number(match[1]), profileId: match[2]! };
}
