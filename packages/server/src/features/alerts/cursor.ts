import { z } from "zod";
import { invalid } from "#failure";

/** The last alert of a page. */
export interface PageEnd {
  readonly openedAt: string;
  readonly id: string;
}

const End = z.tuple([z.iso.datetime(), z.uuid()]);

export function toCursor({ openedAt, id }: PageEnd): string {
  return Buffer.from(JSON.stringify([openedAt, id])).toString("base64url");
}

export function fromCursor(cursor: string): PageEnd {
  try {
    const [openedAt, id] = End.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { openedAt, id };
  } catch {
    throw invalid("cursor must be the next_cursor of a page before");
  }
}
