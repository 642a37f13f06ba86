import { z } from "zod";
import { fromCursor, toCursor } from "./cursor.ts";

const Place = z.object({ size: z.number(), name: z.string() });
/** Where an item is in its list: the largest size comes first, equal ones by name, and those without a size last. */
export type Place = Readonly<z.output<typeof Place>>;

/** The size of an item that has none. */
export const noSize = -Number.MAX_VALUE;

/** One rule for all lists that are searched by name: every word of the text is in the name, or in another text of the item. Neither case nor accents matter. */
interface Search {
  isIn(...texts: readonly string[]): boolean;
  /** For an order by name: the name that is the text comes first, then names that begin with its first word. */
  sizeOf(name: string): number;
}

/** `Café` is `cafe`. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

export function searchOf(text: string): Search {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return { isIn: () => true, sizeOf: () => 0 };
  const whole = words.join(" ");
  return {
    isIn(...texts) {
      const lower = texts.map(folded);
      return words.every((word) => lower.some((each) => each.includes(word)));
    },
    sizeOf(name) {
      const lower = folded(name);
      return lower === whole ? 2 : lower.startsWith(first) ? 1 : 0;
    },
  };
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page begins after the place of its cursor, also where the item that had it is gone or has another place by now. */
export function pageOf<T>(
  items: readonly T[],
  placeOf: (item: T) => Place,
  { cursor, limit }: PageQuery,
): { readonly page: T[]; readonly next: string | null } {
  const placed = items.map((item) => ({ item, place: placeOf(item) }));
  const after = cursor === undefined ? undefined : fromCursor(Place, cursor);
  const rest = after === undefined ? placed : placed.filter(({ place }) => byPlace(after, place) < 0);
  const page = firstOf(rest, limit);
  const last = page.at(-1);
  return {
    page: page.map(({ item }) => item),
    next: last === undefined || rest.length === page.length ? null : toCursor(last.place),
  };
}

/** Sorted, without sorting the thousands that are not on the page. */
function firstOf<T extends { readonly place: Place }>(items: readonly T[], count: number): T[] {
  const first: T[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length === count && byPlace(last!.place, item.place) <= 0) continue;
    let [from, to] = [0, first.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (byPlace(first[middle]!.place, item.place) <= 0) from = middle + 1;
      else to = middle;
    }
    first.splice(from, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

function byPlace(a: Place, b: Place): number {
  return b.size - a.size || byName(a.name, b.name);
}

/** Without regard to case; names that differ only in case are always in the same order. */
export function byName(a: string, b: string): number {
  return inCodeUnits(a.toLowerCase(), b.toLowerCase()) || inCodeUnits(a, b);
}

function inCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
