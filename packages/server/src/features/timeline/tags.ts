import { limits, type listServiceTags } from "@flamekeep/contract";
import { z } from "zod";
import type { Operation } from "#http/endpoint/serve.ts";
import { tagFilterOf } from "#http/query/tag-filter.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { filterOf, hasMarks, TypeFilter } from "#store/profiles/separate-types.ts";

const Numbers = z.array(z.number());

/** Empty texts mean "any"; profiles of HTTP metrics are left out. Only the column of tags is read. */
const tagsOfRange = query({
  name: "tags.of-range",
  sql: `SELECT name, sum(counted) AS profiles, count() AS valuesTotal, count() OVER () AS namesTotal,
          arraySlice(arraySort(pair -> (-toInt64(pair.2), pair.1), groupArray((value, counted))), 1, {valuesMax:UInt32}) AS pairs,
          arrayMap(pair -> pair.1, pairs) AS tagValues, arrayMap(pair -> toFloat64(pair.2), pairs) AS valueProfiles
        FROM (
          SELECT name, value, count() AS counted
          FROM profiles
          ARRAY JOIN mapKeys(tags) AS name, mapValues(tags) AS value
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type != 'metrics'
            AND ({type:String} = '' OR type = {type:String})
            AND ${hasMarks}
            AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
            AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            AND arrayAll((key, text) -> tags[key] = text, {tagNames:Array(String)}, {tagTexts:Array(String)})
            AND ({name:String} = '' OR name = {name:String})
            AND ({search:String} = '' OR positionCaseInsensitiveUTF8(value, {search:String}) > 0)
          GROUP BY name, value
        )
        GROUP BY name
        ORDER BY profiles DESC, name
        LIMIT {namesMax:UInt32}`,
  params: TypeFilter.extend({
    orgId: z.uuid(),
    service: z.string(),
    fromMs: z.int(),
    toMs: z.int(),
    tagNames: z.array(z.string()),
    tagTexts: z.array(z.string()),
    name: z.string(),
    search: z.string(),
    namesMax: z.int(),
    valuesMax: z.int(),
  }),
  row: z.object({
    name: z.string(),
    profiles: Count,
    valuesTotal: Count,
    namesTotal: Count,
    tagValues: z.array(z.string()),
    valueProfiles: Numbers,
  }),
});

/** The tags of a service's profiles, for completion. */
export const listTags: Operation<typeof listServiceTags> = async (
  ctx,
  { orgId },
  { service, type, name = "", q = "", ...range },
) => {
  const { tagNames, tagValues: tagTexts } = tagFilterOf(range);
  const rows = await ctx.columns.query(tagsOfRange, {
    orgId,
    service,
    ...toWholeMinutes(rangeOf(range, ctx.now())),
    ...filterOf(type),
    tagNames,
    tagTexts,
    name,
    search: q.trim(),
    namesMax: limits.tagNamesMax,
    valuesMax: limits.tagValuesMax,
  });
  return {
    tags: rows.map((row) => ({
      name: row.name,
      profiles: row.profiles,
      values: row.tagValues.map((value, index) => ({ value, profiles: row.valueProfiles[index]! })),
      values_total: row.valuesTotal,
    })),
    tags_total: rows[0]?.namesTotal ?? 0,
  };
};
