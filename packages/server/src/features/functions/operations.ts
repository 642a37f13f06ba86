import {
  displayTypeOf,
  type FoundFunction,
  type findFunctions as findCall,
  type ReplyOf,
  StoredType,
} from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { rangeOf } from "#http/query/time-range.ts";
import { type FunctionPlace, functionPlaces } from "./queries.ts";

/** Hours are rolled up some minutes after they are over; until then their profiles are read. */
const notRolledUpMs = hourMs + 10 * minuteMs;

export async function findFunctions(
  ctx: Context,
  { orgId }: Actor,
  query: z.output<(typeof findCall)["query"]>,
): Promise<ReplyOf<typeof findCall>> {
  const { fromMs, toMs } = rangeOf(query, ctx.now());
  const recentMs = Math.max(fromMs, Math.min(toMs, ctx.now().getTime()) - notRolledUpMs);
  const places = await ctx.columns.query(functionPlaces, {
    orgId,
    from: new Date(fromMs),
    to: new Date(toMs),
    recent: new Date(recentMs),
    q: query.q,
    limit: query.limit,
  });
  return { functions: places.map(toFound) };
}

function toFound({ name, service, type, sampleTypes }: FunctionPlace): FoundFunction {
  // Batches of HTTP metrics have no stacks.
  const display = displayTypeOf(StoredType.parse(type), sampleTypes) as FoundFunction["type"];
  return { name, service, type: display };
}
