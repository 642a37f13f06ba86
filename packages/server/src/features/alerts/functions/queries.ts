import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

/** The series that have this hour in the roll-up. */
export const rolledSeries = query({
  name: "alerts.rolled-series",
  sql: `SELECT DISTINCT service, type FROM rolled_hours
        WHERE org_id = {orgId:UUID} AND hour = toDateTime({hour:UInt32}, 'UTC')`,
  params: z.object({ orgId: z.uuid(), hour: z.int() }),
  row: z.object({ service: z.string(), type: z.string() }),
});

const Hours = z.object({
  orgId: z.uuid(),
  service: z.string(),
  type: z.string(),
  sampleType: z.string(),
  /** Unix seconds, and the version of each in the roll-up. */
  hours: z.array(z.int()),
  versions: z.array(z.bigint()),
});

const ofHours = `org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND sample_type = {sampleType:String}
              AND (hour, version) IN (
                SELECT toDateTime(rolled.1, 'UTC'), rolled.2
                FROM (SELECT arrayJoin(arrayZip({hours:Array(UInt32)}, {versions:Array(UInt64)})) AS rolled))`;

const ofDays = `org_id = {orgId:UUID}
              AND day >= toDate(toDateTime(arrayMin({hours:Array(UInt32)}), 'UTC'))
              AND day <= toDate(toDateTime(arrayMax({hours:Array(UInt32)}), 'UTC'))`;

/** The functions of each stack, by a hash: texts in these rows would cost most of the time. A closure is a part of the function around it. */
const functionsOfStacks = (where: string) => `
          named AS (
            SELECT stack_id, frame_ids FROM stacks
            WHERE ${ofDays} AND stack_id IN (SELECT stack_id FROM by_stack)
            LIMIT 1 BY stack_id
          ),
          places AS (
            SELECT stack_id, frame_id, position FROM named ARRAY JOIN frame_ids AS frame_id, arrayEnumerate(frame_ids) AS position
          ),
          frame_names AS (
            SELECT frame_id, replaceRegexpOne(function, {closures:String}, '') AS name, file, start_line,
              cityHash64(name, file, start_line) AS function_id
            FROM frames
            WHERE ${ofDays} AND frame_id IN (SELECT arrayJoin(frame_ids) FROM named) ${where}
            LIMIT 1 BY frame_id
          ),
          functions AS (
            SELECT places.stack_id AS stack_id, ids.function_id AS function_id, min(places.position) = 1 AS is_leaf
            FROM places JOIN (SELECT frame_id, function_id FROM frame_names) AS ids ON ids.frame_id = places.frame_id
            GROUP BY stack_id, function_id
          ),
          labels AS (SELECT function_id, name, file, start_line FROM frame_names LIMIT 1 BY function_id)`;

const inHour = (place: number) =>
  `sumIf(toFloat64(value), hour = toDateTime({newest:Array(UInt32)}[${place}], 'UTC'))`;

const Sums = z.array(z.number()).length(4);

/** The stacks of hours with values. */
export const stackCount = query({
  name: "alerts.stack-count",
  sql: `SELECT count() AS stacks FROM stack_totals_1h WHERE ${ofHours}`,
  params: Hours,
  row: z.object({ stacks: Count }),
});

/**
 * The functions with the largest values: their sums in each of the newest hours and in all hours before, and those of the whole series.
 * Of many stacks only those with the largest sums are read, chosen over all hours: the newest ones would choose stacks that are high by
 * chance.
 */
export const functionSums = query({
  name: "alerts.function-sums",
  sql: `WITH
          by_stack AS (
            SELECT stack_id, first, second, third, before,
              [sum(first) OVER (), sum(second) OVER (), sum(third) OVER (), sum(before) OVER ()] AS sums_of_all,
              minIf(third, third > 0) OVER () AS smallest_value
            FROM (
              SELECT stack_id, ${inHour(1)} AS first, ${inHour(2)} AS second, ${inHour(3)} AS third,
                sumIf(toFloat64(value), hour < toDateTime({newest:Array(UInt32)}[1], 'UTC')) AS before
              FROM stack_totals_1h
              WHERE ${ofHours}
              GROUP BY stack_id
            )
            ORDER BY first + second + third + before DESC, stack_id
            LIMIT {stacks:UInt32}
          ),${functionsOfStacks("")}
        SELECT labels.name AS name, labels.file AS file, labels.start_line AS startLine, self, total, whole, smallest
        FROM (
        SELECT function_id,
          [sumIf(first, is_leaf), sumIf(second, is_leaf), sumIf(third, is_leaf), sumIf(before, is_leaf)] AS self,
          [sum(first), sum(second), sum(third), sum(before)] AS total,
          any(sums_of_all) AS whole, any(smallest_value) AS smallest
        FROM functions JOIN by_stack ON by_stack.stack_id = functions.stack_id
        GROUP BY function_id
        ORDER BY total[1] + total[2] + total[3] DESC
        LIMIT {limit:UInt32}
        ) AS sums
        JOIN labels ON labels.function_id = sums.function_id
        ORDER BY total[1] + total[2] + total[3] DESC`,
  params: Hours.extend({
    newest: z.array(z.int()).length(3),
    closures: z.string(),
    stacks: z.int(),
    limit: z.int(),
  }),
  row: z.object({
    name: z.string(),
    file: z.string(),
    startLine: Count,
    self: Sums,
    total: Sums,
    whole: Sums,
    smallest: z.number(),
  }),
});

/** The values of named functions in each hour, as far as they have any. Stacks as in `functionSums`. */
export const functionHours = query({
  name: "alerts.function-hours",
  sql: `WITH
          by_stack AS (
            SELECT stack_id FROM stack_totals_1h
            WHERE ${ofHours}
            GROUP BY stack_id
            ORDER BY sum(toFloat64(value)) DESC, stack_id
            LIMIT {stacks:UInt32}
          ),${functionsOfStacks("AND name IN {names:Array(String)}")}
        SELECT labels.name AS name, labels.file AS file, labels.start_line AS startLine, hours, self, total
        FROM (
          SELECT function_id, groupArray(at) AS hours, groupArray(own) AS self, groupArray(sum) AS total
          FROM (
            SELECT functions.function_id AS function_id, toUnixTimestamp(rows.hour) AS at,
              sumIf(rows.part, functions.is_leaf) AS own, sum(rows.part) AS sum
            FROM (
              SELECT stack_id, hour, toFloat64(value) AS part FROM stack_totals_1h
              WHERE ${ofHours} AND stack_id IN (SELECT stack_id FROM functions)
            ) AS rows
            JOIN functions ON functions.stack_id = rows.stack_id
            GROUP BY function_id, at
          )
          GROUP BY function_id
        ) AS sums
        JOIN labels ON labels.function_id = sums.function_id`,
  params: Hours.extend({ names: z.array(z.string()), closures: z.string(), stacks: z.int() }),
  row: z.object({
    name: z.string(),
    file: z.string(),
    startLine: Count,
    hours: z.array(z.int()),
    self: z.array(z.number()),
    total: z.array(z.number()),
  }),
});

/** The sum of all stacks in each hour, and the smallest value of a stack. */
export const wholeHours = query({
  name: "alerts.whole-hours",
  sql: `SELECT toUnixTimestamp(hour) AS at, sum(toFloat64(value)) AS total, toFloat64(minIf(value, value > 0)) AS smallest
        FROM stack_totals_1h
        WHERE ${ofHours}
        GROUP BY at`,
  params: Hours,
  row: z.object({ at: z.int(), total: z.number(), smallest: z.number() }),
});
