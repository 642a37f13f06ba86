import type * as calls from "@flamekeep/contract";
import { displayTypeOf, type FoundFunction, type InputOf, type ReplyOf } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { StoredType } from "@flamekeep/contract/schemas";
import { functionKey, withoutShapes } from "@flamekeep/profile";
import type { Actor, Context } from "#context";
import { Demangler } from "#decoding/demangle.ts";
import { rangeOf } from "#http/query/time-range.ts";
import { type FunctionPlace, functionPlaces, placesMax } from "./queries.ts";

/** Hours are rolled up some minutes after they are over; until then their profiles are read. */
const notRolledUpMs = hourMs + 10 * minuteMs;

export async function findFunctions(
  ctx: Context,
  { orgId }: Actor,
  query: InputOf<typeof calls.findFunctions>,
): Promise<ReplyOf<typeof calls.findFunctions>> {
  const { fromMs, toMs } = rangeOf(query, ctx.now());
  const recentMs = Math.max(fromMs, Math.min(toMs, ctx.now().getTime()) - notRolledUpMs);
  const places = await ctx.columns.query(functionPlaces, {
    orgId,
    from: new Date(fromMs),
    to: new Date(toMs),
    recent: new Date(recentMs),
    q: query.q,
    words: wordsOf(query.q),
  });
  return { functions: foundIn(places, query.q).slice(0, query.limit) };
}

/** The words that a mangled name has, too: not those of types, which are letters in it. */
function wordsOf(q: string): readonly string[] {
  const [path = ""] = q.split(/[(<]/u);
  const words = path.split(/\W+/u).filter(Boolean);
  return words.length === 0 ? [q] : words;
}

/** The functions of the places, each with the first services and types that have it. Frames of one function may have several places. */
function foundIn(places: readonly FunctionPlace[], q: string): FoundFunction[] {
  const text = q.toLowerCase();
  const demangler = new Demangler();
  const byFunction = new Map<string, Map<string, FoundFunction>>();
  for (const { name: stored, file, startLine, service, type, sampleTypes } of places) {
    const name = withoutShapes(demangler.shownName(stored));
    if (![stored, name].some((each) => each.toLowerCase().includes(text))) continue;
    const ref = functionKey(name, file, startLine);
    const found = byFunction.get(ref) ?? new Map<string, FoundFunction>();
    byFunction.set(ref, found);
    // Batches of HTTP metrics have no stacks.
    const display = displayTypeOf(StoredType.parse(type), sampleTypes) as FoundFunction["type"];
    const place = `${service} ${display}`;
    if (!found.has(place) && found.size < placesMax)
      found.set(place, { name, file, ref, service, type: display });
  }
  return [...byFunction.values()].flatMap((found) => [...found.values()]);
}
