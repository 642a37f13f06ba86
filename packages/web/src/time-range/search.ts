import { z } from "zod";
import { savedRange } from "./saved-range.ts";
import { type RangeSearch, rangeOfSearch, searchOfRange } from "./view-range.ts";

// Unix milliseconds arrive as a number, because the router reads JSON.
const Moment = z
  .union([z.iso.datetime({ offset: true }), z.int().transform((ms) => new Date(ms).toISOString())])
  .optional()
  .catch(undefined);

/** The search parameters of pages with a time range; malformed ones are ignored. */
export const rangeSearch = {
  range: z
    .string()
    .transform((span) => rangeOfSearch({ range: span }))
    .transform((range) => (range?.kind === "last" ? range.span : undefined))
    .optional()
    .catch(undefined),
  from: Moment,
  to: Moment,
};

interface Links<S> {
  readonly search: S;
  readonly next: (search: S) => S;
}

/** Search middleware: links to a page with a time range keep the current range, unless they name another. */
export function keepTimeRange<S extends RangeSearch>({ search, next }: Links<S>): S {
  const result = next(search);
  if (rangeOfSearch(result) !== undefined) return result;
  const range = rangeOfSearch(search) ?? savedRange();
  return range === undefined ? result : { ...result, ...searchOfRange(range) };
}
