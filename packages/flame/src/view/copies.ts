import { nameQuery } from "#match/name-query.ts";
import type { FunctionTable } from "#tree/call-tree.ts";
import type { SearchResult } from "./search.ts";

/** How many copies of a generic or mangled function, by their stored names, are summed as one. 1 where it is no sum. */
export function copyCount({ storedNames }: Pick<FunctionTable, "storedNames">, fn: number): number {
  return Math.max(1, storedNames?.[fn]?.length ?? 0);
}

/**
 * The function whose value has more copies than the query names: `Less[go.shape.int]` finds `Less`, the sum of all its instantiations.
 *
 * @returns its id, -1 where there is none
 */
export function widerThanQuery(
  { storedNames }: Pick<FunctionTable, "storedNames">,
  { query, matches }: Pick<SearchResult, "query" | "matches">,
): number {
  if (storedNames === undefined) return -1;
  const { matchesStored } = nameQuery(query);
  return storedNames.findIndex(
    (names, fn) => matches[fn] === 1 && names.some(matchesStored) && !names.every(matchesStored),
  );
}
