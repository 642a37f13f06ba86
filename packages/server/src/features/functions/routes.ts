import * as calls from "@flamekeep/contract";
import { displayTypeOf, type FoundFunction } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { StoredType } from "@flamekeep/contract/schemas";
import { functionKey, withoutShapes } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "#context";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { pageOf } from "#http/query/page.ts";
import { rangeOf, type TimeRange } from "#http/query/time-range.ts";
import { Demangler } from "#stacks/demangle.ts";
import { query } from "#store/column/query.ts";
import { Count, Int64 } from "#store/column/values.ts";
import { coresOf, type ServiceSums, sumsOfServices } from "#store/profiles/service-sums.ts";
import { getSharedFunctions } from "./shared/shared-functions.ts";

export function registerFunctions(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.findFunctions, findFunctions);
  serve(app, ctx, calls.sharedFunctions, getSharedFunctions);
}

/** Hours are rolled up some minutes after their end; until then their profiles are read. */
const notRolledUpMs = hourMs + 10 * minuteMs;

const findFunctions: Operation<typeof calls.findFunctions> = async (ctx, { orgId }, query) => {
  const range = rangeOf(query, ctx.now());
  // Whole minutes and days, so that the next call reads the same.
  const [fromMs, toMs] = [floor(range.fromMs, minuteMs), floor(range.toMs + minuteMs - 1, minuteMs)];
  const recentMs = floor(Math.max(fromMs, Math.min(toMs, ctx.now().getTime()) - notRolledUpMs), minuteMs);
  const [frames, largest] = await Promise.all([
    ctx.columns.query(namedFrames, {
      orgId,
      from: new Date(floor(fromMs, dayMs)),
      to: new Date(toMs),
      q: query.q,
      words: wordsOf(query.q),
    }),
    largestServices(ctx, { orgId, fromMs, toMs }),
  ]);
  if (frames.length === 0) return { functions: [] };
  const functions = numbered(frames, ({ name, path, firstLine }) => `${firstLine} ${path}\0${name}`);
  const names = numbered(functions.first, ({ name }) => name);
  const read = (services: string[], isWanted: (number: number) => boolean) => {
    const wanted = functions.numbers
      .map((number, at) => ({ number, frame: frames[at]!.frameId }))
      .filter(({ number }) => isWanted(number));
    if (wanted.length === 0) return [];
    return ctx.columns.query(functionPlaces, {
      orgId,
      services,
      from: new Date(fromMs),
      to: new Date(toMs),
      recent: new Date(recentMs),
      frames: wanted.map(({ frame }) => frame),
      functions: wanted.map(({ number }) => number),
      names: names.numbers,
    });
  };
  const ofLargest = largest === undefined ? [] : await read(largest, () => true);
  const isFound = functionsWithPlaces(ofLargest);
  const ofAll = await read([], (number) => !isFound.has(number));
  const places = [...ofLargest.filter(({ number }) => isFound.has(number)), ...ofAll].sort(
    (a, b) => names.numbers[a.number - 1]! - names.numbers[b.number - 1]!,
  );
  const found = places.map(({ number, ...place }) => ({ ...functions.first[number - 1]!, ...place }));
  return { functions: foundIn(found, query.q).slice(0, query.limit) };
};

function floor(ms: number, unitMs: number): number {
  return Math.floor(ms / unitMs) * unitMs;
}

/** Stacks of thousands of services take long to read, and most functions are in a few of them. */
const largestMax = 50;

/** The services with the most CPU; undefined where all services are as few. */
async function largestServices(
  { columns, now }: Context,
  { orgId, fromMs, toMs }: { readonly orgId: string } & TimeRange,
): Promise<string[] | undefined> {
  const range = { orgId, type: "cpu" as const, cuts: [fromMs / 1000, toMs / 1000], now: now() };
  const services = await sumsOfServices(columns, range);
  if (services.length <= largestMax) return undefined;
  const sizeOf = (sums: ServiceSums) => ({ size: coresOf(sums, 0) ?? 0, name: sums.service });
  return pageOf(services, sizeOf, { limit: largestMax }).page.map(({ service }) => service);
}

/** The numbers of the functions that have as many places as are listed. */
function functionsWithPlaces(places: readonly FunctionPlace[]): ReadonlySet<number> {
  const byFunction = Map.groupBy(places, ({ number }) => number);
  return new Set([...byFunction].filter(([, own]) => own.length >= placesMax).map(([number]) => number));
}

/** Numbers values from 1 by their key, in order, and keeps the first value of each number. */
function numbered<T>(values: readonly T[], keyOf: (value: T) => string): { numbers: number[]; first: T[] } {
  const numberOf = new Map<string, number>();
  const first: T[] = [];
  const numbers = values.map((value) => {
    const key = keyOf(value);
    const known = numberOf.get(key);
    if (known !== undefined) return known;
    numberOf.set(key, first.push(value));
    return first.length;
  });
  return { numbers, first };
}

/** The words that a mangled name has, too: not those of types, which are letters in it. */
function wordsOf(q: string): readonly string[] {
  const [path = ""] = q.split(/[(<]/u);
  const words = path.split(/\W+/u).filter(Boolean);
  return words.length === 0 ? [q] : words;
}

/** The functions of the places, each with the first services and types that have it. Frames of one function may have several places. */
function foundIn(
  places: readonly (NamedFrame & Omit<FunctionPlace, "number">)[],
  q: string,
): FoundFunction[] {
  const text = q.toLowerCase();
  const demangler = new Demangler();
  const byFunction = new Map<string, Map<string, FoundFunction>>();
  for (const { name: stored, path: file, firstLine, service, type, sampleTypes } of places) {
    const name = withoutShapes(demangler.shownName(stored));
    if (![stored, name].some((each) => each.toLowerCase().includes(text))) continue;
    const ref = functionKey(name, file, Math.max(0, firstLine));
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

const NamedFrame = z.object({
  frameId: Int64,
  /** As it is stored. */
  name: z.string(),
  path: z.string(),
  firstLine: Count,
});
type NamedFrame = z.output<typeof NamedFrame>;

/**
 * The frames of the best names, from the definitions of the range's days, which are few compared to samples. A mangled name
 * may match if it has all words of the text: the caller reads it.
 */
const namedFrames = query({
  name: "functions.frames",
  isCacheable: true,
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
          )
        SELECT frame.1 AS frameId, frame.4 AS name, frame.2 AS path, frame.3 AS firstLine
        FROM candidates ARRAY JOIN frames AS frame
        ORDER BY rank, length(name), name, path, firstLine`,
  params: z.object({
    orgId: z.uuid(),
    from: z.date(),
    to: z.date(),
    q: z.string(),
    words: z.array(z.string()),
  }),
  row: NamedFrame,
});

const FunctionPlace = z.object({
  /** The number of the function. */
  number: z.int(),
  service: z.string(),
  type: z.string(),
  sampleTypes: z.array(z.string()),
});
type FunctionPlace = z.output<typeof FunctionPlace>;

/**
 * The services and types that have the frames: their stacks, and then where these are, from the roll-up of hours and, since `recent`, the
 * profiles. `functions` has the number of each frame's function, `names` the number of each function's name. The engine runs `using` for
 * each use of it: with the frames as a list, it takes a third of the time.
 */
const functionPlaces = query({
  name: "functions.places",
  isCacheable: true,
  sql: `WITH
          using AS (
            SELECT stack_id, groupUniqArray(transform(frame_id, {frames:Array(UInt64)}, {functions:Array(UInt32)}, toUInt32(0))) AS numbers
            FROM stacks ARRAY JOIN frame_ids AS frame_id
            WHERE org_id = {orgId:UUID} AND day >= toDate({from:DateTime64(3, 'UTC')})
              AND day <= toDate({to:DateTime64(3, 'UTC')}) AND frame_id IN {frames:Array(UInt64)}
            GROUP BY stack_id
          ),
          places AS (
            SELECT stack_id, service, type, groupUniqArray(sample_type) AS sampleTypes
            FROM stack_totals_1h
            WHERE org_id = {orgId:UUID} AND hour >= toStartOfHour({from:DateTime64(3, 'UTC')})
              AND hour < {to:DateTime64(3, 'UTC')} AND stack_id IN (SELECT stack_id FROM using)
              AND (empty({services:Array(String)}) OR service IN {services:Array(String)})
            GROUP BY stack_id, service, type
            UNION ALL
            SELECT stack_id, service, type, any(sample_types) AS sampleTypes
            FROM profiles ARRAY JOIN stacks AS stack_id
            WHERE org_id = {orgId:UUID} AND started_at >= {recent:DateTime64(3, 'UTC')}
              AND started_at < {to:DateTime64(3, 'UTC')} AND stack_id IN (SELECT stack_id FROM using)
              AND (empty({services:Array(String)}) OR service IN {services:Array(String)})
            GROUP BY stack_id, service, type
          )
        SELECT number, service, type, groupUniqArrayArray(sampleTypes) AS sampleTypes
        FROM (
          SELECT arrayJoin(using.numbers) AS number, places.stack_id AS stack_id, places.service AS service,
            places.type AS type, places.sampleTypes AS sampleTypes
          FROM places JOIN using ON using.stack_id = places.stack_id
        )
        GROUP BY number, service, type
        ORDER BY {names:Array(UInt32)}[number], type != 'cpu', uniqExact(stack_id) DESC, service, type, number
        LIMIT ${placesOfNameMax} BY {names:Array(UInt32)}[number]`,
  params: z.object({
    orgId: z.uuid(),
    /** None for all. */
    services: z.array(z.string()),
    from: z.date(),
    to: z.date(),
    recent: z.date(),
    frames: z.array(z.bigint()),
    functions: z.array(z.int()),
    names: z.array(z.int()),
  }),
  row: FunctionPlace,
});
