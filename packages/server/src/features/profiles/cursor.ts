import { invalid } from "#failure";

/** Position of the last profile of a page: the next page begins after it. */
export interface PageEnd {
  readonly startedAtMs: number;
  readonly profileId: string;
  /** The value that the page is sorted by; absent if that is the start. */
  readonly rank?: number;
}

const pattern = /^(?:(-?\d{1,16})\.)?(\d{1,15})\.([0-9a-f]{32})$/;

export function toCursor(end: PageEnd): string {
  const rank = end.rank === undefined ? "" : `${end.rank}.`;
  return Buffer.from(`${rank}${end.startedAtMs}.${end.profileId}`).toString("base64url");
}

/** Throws `invalid` for a text that `toCursor` did not write for such a page. */
export function fromCursor(cursor: string, isRanked: boolean): PageEnd {
  const match = pattern.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (match === null || (match[1] !== undefined) !== isRanked)
    throw invalid("Query parameter cursor must be the next_cursor of an earlier page in the same order");
  const [, rank, startedAtMs, profileId] = match;
  const end = { startedAtMs: Number(startedAtMs), profileId: profileId! };
  return rank === undefined ? end : { ...end, rank: Number(rank) };
}
