import * as calls from "@flamekeep/contract";
import { displayTypeOf, type FoundFunction } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { StoredType } from "@flamekeep/contract/schemas";
import { functionKey, withoutShapes } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "#context";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { rangeOf } from "#http/query/time-range.ts";
import { Demangler } from "#stacks/demangle.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

export function registerFunctions(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.findFunctions, findFunctions);
}

/** Hours are rolled up some minutes after they are over; until then their profiles are read. */
const notRolledUpMs = hourMs + 10 * minuteMs;

const findFunctions: Operation<typeof calls.findFunctions> = async (ctx, { orgId }, query) => {
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
};

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

/** Functions that are looked for in stacks: a common text matches thousands. The copies of a generic one count once. */
const candidatesMax = 40;
/** Services and types for each function. */
const placesMax = 3;
/** Services, types, files and lines for each name: `handler` may be in many files. */
const placesOfNameMax = 200;

const Place = z.object({
  /** As it is stored. */
  name: z.string(),
  file: z.string(),
  startLine: Count,
  service: z.string(),
  type: z.string(),
  sampleTypes: z.array(z.string()),
});
type FunctionPlace = z.output<typeof Place>;

/**
 * Names first, from the definitions of the range's days, which are few compared to samples; then the stacks of the best
 * names; then the services and types that have these stacks, from the roll-up of hours and, since `recent`, the profiles. A mangled name
 * may match if it has all words of the text: the caller reads it.
 */
const functionPlaces = query({
  name: "functions.places",
  sql: `WITH
          matched AS (
            SELECT frame_id, any(function) AS name, any(toString(file)) AS path, any(start_line) AS first_line
            FROM frames
            WHERE org_id = {orgId:UUID} AND day >= toDate({from:DateTime64(3, 'UTC')})
              AND day <= toDate({to:DateTime64(3, 'UTC')})
              AND (positionCaseInsensitiveUTF8(function, {q:String}) > 0
                OR (match(function, '^_{1,2}[ZR]')
                  AND arrayAll(word -> positionCaseInsensitiveUTF8(function, word) > 0, {words:Array(String)})))
            GROUP BY frame_id
          ),
          candidates AS (
            SELECT replaceRegexpOne(name, '\\[.*', '') AS shown,
              groupArray((frame_id, path, first_line, name)) AS frames,
              NOT startsWith(lowerUTF8(arrayElement(splitByRegexp('[/.]', shown), -1)), lowerUTF8({q:String})) AS rank
            FROM matched
            GROUP BY shown
            ORDER BY rank, length(shown), shown
            LIMIT ${candidatesMax}
          ),
          chosen AS (
            SELECT frame.4 AS name, rank, frame.1 AS frame_id, frame.2 AS path, frame.3 AS first_line
            FROM candidates ARRAY JOIN frames AS frame
          ),
          using AS (
            SELECT stack_id, groupUniqArray(frame_id) AS frame_ids
            FROM (
              SELECT stack_id, arrayJoin(frame_ids) AS frame_id
              FROM stacks
              WHERE org_id = {orgId:UUID} AND day >= toDate({from:DateTime64(3, 'UTC')})
                AND day <= toDate({to:DateTime64(3, 'UTC')})
                AND hasAny(frame_ids, (SELECT groupArray(frame_id) FROM chosen))
            )
            WHERE frame_id IN (SELECT frame_id FROM chosen)
            GROUP BY stack_id
          ),
          places AS (
            SELECT stack_id, service, type, groupUniqArray(sample_type) AS sampleTypes
            FROM stack_totals_1h
            WHERE org_id = {orgId:UUID} AND hour >= toStartOfHour({from:DateTime64(3, 'UTC')})
              AND hour < {to:DateTime64(3, 'UTC')} AND stack_id IN (SELECT stack_id FROM using)
            GROUP BY stack_id, service, type
            UNION ALL
            SELECT arrayJoin(arrayIntersect(stacks, (SELECT groupArray(stack_id) FROM using))) AS stack_id,
              service, type, any(sample_types) AS sampleTypes
            FROM profiles
            WHERE org_id = {orgId:UUID} AND started_at >= {recent:DateTime64(3, 'UTC')}
              AND started_at < {to:DateTime64(3, 'UTC')}
            GROUP BY stack_id, service, type
          )
        SELECT name, path AS file, greatest(0, first_line) AS startLine, service, type, sampleTypes
        FROM (
          SELECT chosen.name AS name, chosen.path AS path, chosen.first_line AS first_line,
            any(chosen.rank) AS rank, found.service AS service, found.type AS type,
            groupUniqArrayArray(found.sampleTypes) AS sampleTypes, uniqExact(found.stack_id) AS stacks
          FROM (
            SELECT places.stack_id AS stack_id, places.service AS service, places.type AS type,
              places.sampleTypes AS sampleTypes, arrayJoin(using.frame_ids) AS frame_id
            FROM places JOIN using ON using.stack_id = places.stack_id
          ) AS found
          JOIN chosen ON chosen.frame_id = found.frame_id
          GROUP BY name, path, first_line, service, type
        )
        ORDER BY rank, length(name), name, type != 'cpu', stacks DESC, service, type, path, first_line
        LIMIT ${placesOfNameMax} BY name`,
  params: z.object({
    orgId: z.uuid(),
    from: z.date(),
    to: z.date(),
    recent: z.date(),
    q: z.string(),
    words: z.array(z.string()),
  }),
  row: Place,
});
