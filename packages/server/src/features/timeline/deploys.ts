import type * as calls from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Operation } from "#http/endpoint/serve.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { versionTags } from "#store/profiles/tag-names.ts";

/** Latest first. Only the column of tags is read. */
const firstProfiles = query({
  name: "deploys.first-profiles",
  sql: `SELECT tag, value, toFloat64(toUnixTimestamp64Milli(min(started_at))) AS firstMs,
          countIf(min(started_at) >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')) OVER () AS newCount,
          count() OVER () AS valueCount
        FROM (
          SELECT arrayFirst(name -> tags[name] != '', {names:Array(String)}) AS tag, tags[tag] AS value, started_at
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND started_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
            AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            AND hasAny(mapKeys(tags), {names:Array(String)})
        )
        GROUP BY tag, value
        ORDER BY firstMs DESC, tag, value
        LIMIT {limit:UInt32}`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    names: z.array(z.string()),
    sinceMs: z.int(),
    fromMs: z.int(),
    toMs: z.int(),
    limit: z.int(),
  }),
  row: z.object({
    tag: z.string(),
    value: z.string(),
    firstMs: z.number(),
    newCount: Count,
    valueCount: Count,
  }),
});

export const listDeploys: Operation<typeof calls.listDeploys> = async (
  ctx,
  { orgId },
  { service, ...times },
) => {
  const { fromMs, toMs } = toWholeMinutes(rangeOf(times, ctx.now()));
  const rows = await ctx.columns.query(firstProfiles, {
    orgId,
    service,
    names: versionTags,
    sinceMs: fromMs - limits.deployLookbackDays * dayMs,
    fromMs,
    toMs,
    limit: limits.deploysMax + 1,
  });
  const deploys = rows
    .flatMap(({ tag, value, firstMs }, index) => {
      const previous = rows[index + 1]?.value;
      return previous === undefined || firstMs < fromMs
        ? []
        : [{ timestamp: new Date(firstMs).toISOString(), tag, value, previous }];
    })
    .toReversed();
  const [{ newCount, valueCount } = { newCount: 0, valueCount: 0 }] = rows;
  // The first version of all is new, but replaced none.
  return { deploys, deploys_total: newCount === valueCount ? Math.max(0, newCount - 1) : newCount };
};
