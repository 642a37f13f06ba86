import { truncatedName } from "@flamekeep/profile";
import { nameQuery } from "#match/name-query.ts";
import type { CallTree } from "#tree/call-tree.ts";
import type { FunctionTotals } from "#tree/function-totals.ts";

/**
 * The functions with the largest totals whose names have the text that somebody types, at most `limit`. None for a regular expression: each
 * key press would begin an expensive search.
 */
export function suggestedFunctions(
  { functions }: Pick<CallTree, "functions">,
  { frames, total }: FunctionTotals,
  query: string,
  limit: number,
): number[] {
  const { kind, matches, matchesStored } = nameQuery(query);
  const found: number[] = [];
  if (kind !== "text") return found;
  for (let fn = 1; fn < functions.length; fn++) {
    const name = functions.name[fn];
    const isWorse = found.length === limit && total[fn] <= total[found[limit - 1]];
    if (isWorse || frames[fn] === 0 || name === truncatedName) continue;
    if (!matches(name) && !functions.storedNames?.[fn].some(matchesStored)) continue;
    const place = found.findIndex((other) => total[other] < total[fn]);
    found.splice(place === -1 ? found.length : place, 0, fn);
    if (found.length > limit) found.pop();
  }
  return found;
}
