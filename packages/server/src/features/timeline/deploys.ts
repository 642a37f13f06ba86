import type * as calls from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Operation } from "#http/endpoint/serve.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { versionTags } from "#store/profiles/tag-names.ts";

/** Latest first. Only the column of tags is read. */
const firstProfiles = query({
  name: "deploys.first-profiles",
  sql: `SELECT tag, value, toFloat64(toUnixTimestamp64Milli(min(started_at))) AS firstMs
        FROM (
          SELECT arrayFirst(name -> tags[name] != '', {names:Array(String)}) AS tag, tags[tag] AS value, started_at
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
            AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            AND hasAny(mapKeys(tags), {names:Array(String)})
        )
        GROUP BY tag, value
        ORDER BY firstMs DESC, tag, value
        LIMIT {limit:UInt32}`,
  isCacheable: true,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    names: z.array(z.string()),
    fromMs: z.int(),
    toMs: z.int(),
    limit: z.int(),
  }),
  row: z.object({ tag: z.string(), value: z.string(), firstMs: z.number() }),
});
type FirstProfile = z.output<typeof firstProfiles.row>;

/** More than a service deploys in the days that are looked at. */
const versionsMax = 10_000;

export const listDeploys: Operation<typeof calls.listDeploys> = async (
  ctx,
  { orgId },
  { service, ...times },
) => {
  const { fromMs, toMs } = toWholeMinutes(rangeOf(times, ctx.now()));
  const sinceMs = startOfDay(fromMs - limits.deployLookbackDays * dayMs);
  const firstBetween = async (from: number, to: number) =>
    from === to
      ? []
      : ctx.columns.query(firstProfiles, {
          orgId,
          service,
          names: versionTags,
          fromMs: from,
          toMs: to,
          limit: versionsMax,
        });
  // Whole days are read once: their profiles no longer change.
  const lastDayMs = Math.max(sinceMs, startOfDay(toMs));
  const [earlier, lastDay] = await Promise.all([
    firstBetween(sinceMs, lastDayMs),
    firstBetween(lastDayMs, toMs),
  ]);
  const versions = newVersions(earlier, lastDay);
  const newCount = versions.filter(({ firstMs }) => firstMs >= fromMs).length;
  const deploys = versions.slice(0, Math.min(newCount, limits.deploysMax)).flatMap((version, index) => {
    const previous = versions[index + 1]?.value;
    const { firstMs, tag, value } = version;
    return previous === undefined
      ? []
      : [{ timestamp: new Date(firstMs).toISOString(), tag, value, previous }];
  });
  // The first version of all is new, but replaced none.
  const total = newCount === versions.length ? Math.max(0, newCount - 1) : newCount;
  return { deploys: deploys.toReversed(), deploys_total: total };
};

/** Each version at its first profile, the latest first. */
function newVersions(earlier: readonly FirstProfile[], lastDay: readonly FirstProfile[]): FirstProfile[] {
  const key = ({ tag, value }: FirstProfile) => JSON.stringify([tag, value]);
  const known = new Set(earlier.map(key));
  return [...lastDay.filter((version) => !known.has(key(version))), ...earlier];
}

function startOfDay(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}
