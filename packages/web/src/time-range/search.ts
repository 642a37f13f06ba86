import type { Reader } from "#url/search.ts";
import { savedRange } from "./saved-range.ts";
import { type RangeSearch, rangeOfSearch, searchOfRange } from "./view-range.ts";

const isoPattern = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A point in time as ISO 8601, or as Unix milliseconds, which arrive as a number because the router reads JSON. */
export const moment: Reader<string> = (value) => {
  if (typeof value !== "number" && !(typeof value === "string" && isoPattern.test(value))) return undefined;
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return undefined;
  if (typeof value === "number") return time.toISOString();
  // Dates take February 30 for March 2.
  const day = value.slice(0, 10);
  return new Date(day).toISOString().startsWith(day) ? value : undefined;
};

const lastSpan: Reader<string> = (value) => {
  const range = typeof value === "string" ? rangeOfSearch({ range: value }) : undefined;
  return range?.kind === "last" ? range.span : undefined;
};

/** The search parameters of pages with a time range; malformed ones are ignored. */
export const rangeSearch = {
  range: lastSpan,
  from: moment,
  to: moment,
};

interface Links<S> {
  readonly search: S;
  readonly next: (search: S) => S;
}

/**
 * Search of a link that leaves what the page is about, as the sidebar's links do: the time range becomes the chosen one again. A
 * range that came with a link, such as an alert's, belongs to its page and to what it leads to.
 */
export const chosenRange = { range: undefined } as const;

const noMoments = { from: undefined, to: undefined };

/**
 * Search middleware: links to a page with a time range keep the current range, unless they name another or the chosen one. One end
 * alone, as of `from=abc&to=1`, names no range and leaves the URL.
 */
export function keepTimeRange<S extends RangeSearch>({ search, next }: Links<S>): S {
  const result = next(search);
  if (rangeOfSearch(result) !== undefined) return result;
  const range = ("range" in result ? undefined : rangeOfSearch(search)) ?? savedRange();
  return { ...result, ...(range === undefined ? noMoments : searchOfRange(range)) };
}
