import type { z } from "zod";
import { invalid } from "#failure";

/** The place at which a page ended, for the next one to begin after it. */
export function toCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The place in a cursor that a client has sent back. Throws 400 for any other text. */
export function fromCursor<Place extends z.ZodType>(place: Place, cursor: string): z.output<Place> {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw invalid("Query parameter cursor must be the next_cursor of an earlier page");
  }
}
