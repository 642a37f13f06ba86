import type * as calls from "@flamekeep/contract";
import { limits, type ReplyOf } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Operation } from "#http/endpoint/serve.ts";
import { rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import { type ColumnReader, query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { versionTags } from "#store/profiles/tag-names.ts";

/** Each version with its first profile. Only the column of tags is read. */
const versionsSql = `SELECT tag, value, min(started_at) AS firstAt
        FROM (
          SELECT arrayFirst(name -> tags[name] != '', {names:Array(String)}) AS tag, tags[tag] AS value, started_at
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
            AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
            AND hasAny(mapKeys(tags), {names:Array(String)})
        )
        GROUP BY tag, value`;
const latestFirstSql = "ORDER BY firstAt DESC, tag, value LIMIT {limit:UInt32}";
const firstMsSql = "toFloat64(toUnixTimestamp64Milli(firstAt)) AS firstMs";

const params = z.object({
  orgId: z.uuid(),
  service: z.string(),
  names: z.array(z.string()),
  fromMs: z.int(),
  toMs: z.int(),
  limit: z.int(),
});
const FirstProfile = z.object({ tag: z.string(), value: z.string(), firstMs: z.number() });
type FirstProfile = z.output<typeof FirstProfile>;

const firstProfiles = query({
  name: "deploys.first-profiles",
  sql: `SELECT tag, value, ${firstMsSql} FROM (${versionsSql}) ${latestFirstSql}`,
  isCacheable: true,
  params,
  row: FirstProfile,
});

/** Each row has the numbers of all versions and of those since `newMs`. */
const countedFirstProfiles = query({
  name: "deploys.counted-first-profiles",
  sql: `SELECT tag, value, ${firstMsSql}, count() OVER () AS allCount,
          countIf(firstAt >= fromUnixTimestamp64Milli({newMs:Int64}, 'UTC')) OVER () AS newCount
        FROM (${versionsSql}) ${latestFirstSql}`,
  params: params.extend({ newMs: z.int() }),
  row: FirstProfile.extend({ allCount: Count, newCount: Count }),
});

export const listDeploys: Operation<typeof calls.listDeploys> = async (
  ctx,
  { orgId },
  { service, ...times },
) => readDeploys(ctx.columns, { orgId, service, ...toWholeMinutes(rangeOf(times, ctx.now())) });

interface DeploysScope {
  readonly orgId: string;
  readonly service: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Versions {
  /** At least the latest that are listed and one more, if there are as many. */
  readonly latest: readonly FirstProfile[];
  /** The number of versions since the start of the range. */
  readonly newCount: number;
  /** With those of the days before the range. */
  readonly allCount: number;
}

/** @param versionsMax from this number on, the column store counts the versions, and reads all days for each call */
export async function readDeploys(
  columns: Pick<ColumnReader, "query">,
  scope: DeploysScope,
  versionsMax = 10_000,
): Promise<ReplyOf<typeof calls.listDeploys>> {
  const { latest, newCount, allCount } = await readVersions(columns, scope, versionsMax);
  const deploys = latest.slice(0, Math.min(newCount, limits.deploysMax)).flatMap((version, index) => {
    const previous = latest[index + 1]?.value;
    const { firstMs, tag, value } = version;
    return previous === undefined
      ? []
      : [{ timestamp: new Date(firstMs).toISOString(), tag, value, previous }];
  });
  // The first version of all is new, but replaced none.
  const total = newCount === allCount ? Math.max(0, newCount - 1) : newCount;
  return { deploys: deploys.toReversed(), deploys_total: total };
}

async function readVersions(
  columns: Pick<ColumnReader, "query">,
  { fromMs, toMs, ...subject }: DeploysScope,
  versionsMax: number,
): Promise<Versions> {
  const sinceMs = startOfDay(fromMs - limits.deployLookbackDays * dayMs);
  const firstBetween = async (from: number, to: number) =>
    from === to
      ? []
      : columns.query(firstProfiles, {
          ...subject,
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
  if (Math.max(earlier.length, lastDay.length) === versionsMax) {
    const latest = await columns.query(countedFirstProfiles, {
      ...subject,
      names: versionTags,
      fromMs: sinceMs,
      toMs,
      newMs: fromMs,
      limit: limits.deploysMax + 1,
    });
    const [{ newCount, allCount } = { newCount: 0, allCount: 0 }] = latest;
    return { latest, newCount, allCount };
  }
  const latest = newVersions(earlier, lastDay);
  const newCount = latest.filter(({ firstMs }) => firstMs >= fromMs).length;
  return { latest, newCount, allCount: latest.length };
}

/** Each version at its first profile, the latest first. */
function newVersions(earlier: readonly FirstProfile[], lastDay: readonly FirstProfile[]): FirstProfile[] {
  const key = ({ tag, value }: FirstProfile) => JSON.stringify([tag, value]);
  const known = new Set(earlier.map(key));
  return [...lastDay.filter((version) => !known.has(key(version))), ...earlier];
}

function startOfDay(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}
