/** Analyses that nobody asks for: every service and main type once a day, by the built-in rules, which cost no money. */
import { type AnalysisOptions, limits } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { analysisCategories } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { type Context, openedOrgId } from "#context";
import { toWholeMinutes } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { hasSender } from "#store/profiles/sent-profiles.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import { dailyRequest } from "./claim.ts";
import { insertPending } from "./enqueue.ts";

const types = ["cpu", "memory", "goroutine", "mutex", "block"] as const;
/** Fewer profiles of a day say more about chance. */
const profilesMin = 3;
/** With a round every minute, 7200 a day. */
const perRoundMax = 5;
/** New services wait at most this long. */
const checkMs = 10 * minuteMs;

const everything: AnalysisOptions = {
  include_code_examples: true,
  focus_areas: [...analysisCategories],
  max_recommendations: limits.recommendationsMax,
  analyzer: "builtin",
};

const ActiveSeries = z.object({ service: z.string(), type: z.enum(types) });
type Series = z.output<typeof ActiveSeries> & { readonly orgId: string };

const activeSeries = query({
  name: "analysis.active-series",
  sql: `SELECT service, type FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND sample_type = '' AND type IN {types:Array(String)}
          AND minute >= {from:DateTime('UTC')}
        GROUP BY service, type
        HAVING sum(profiles) >= {profilesMin:UInt32}
        ORDER BY service, type`,
  params: z.object({ orgId: z.uuid(), types: z.array(z.string()), from: z.date(), profilesMin: z.int() }),
  row: ActiveSeries,
});

/**
 * Queues the next analyses that are due and returns their number: none before those of the last round are done.
 *
 * @param nextCheckMs by organization: when to look again, because everything is analysed
 */
export async function queueDaily(ctx: Context, nextCheckMs: Map<string, number>): Promise<number> {
  const nowMs = ctx.now().getTime();
  let room = perRoundMax - (await countPending(ctx.rows));
  let queued = 0;
  for (const orgId of await activeOrganizations(ctx.rows)) {
    if (room <= 0) break;
    if ((nextCheckMs.get(orgId) ?? 0) > nowMs) continue;
    const { due, isActive } = await dueSeries(ctx, orgId);
    if (isActive && due.length <= room) nextCheckMs.set(orgId, nowMs + checkMs);
    for (const series of due) {
      if (room <= 0) break;
      if (!(await hasSender(ctx.columns, { ...series, from: new Date(nowMs - dayMs), to: new Date(nowMs) })))
        continue;
      await removeReplaced(ctx.rows, series);
      await insertPending(ctx.rows, requestOf(series, nowMs), ctx.now());
      queued++;
      room--;
    }
  }
  return queued;
}

async function countPending(rows: RowStore): Promise<number> {
  const { count } = await acrossOrganizations(rows)
    .selectFrom("analyses")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("status", "=", "pending")
    .where("requestKey", "=", dailyRequest)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function activeOrganizations(rows: RowStore): Promise<string[]> {
  const found = await acrossOrganizations(rows)
    .selectFrom("organizations")
    .select("id")
    .where("suspendedAt", "is", null)
    .where("id", "!=", openedOrgId)
    .orderBy("id")
    .execute();
  return found.map(({ id }) => id);
}

async function dueSeries(
  { columns, rows, now }: Context,
  orgId: string,
): Promise<{ readonly due: readonly Series[]; readonly isActive: boolean }> {
  const since = new Date(now().getTime() - dayMs);
  const from = new Date(Math.floor(since.getTime() / minuteMs) * minuteMs);
  const active = await columns.query(activeSeries, { orgId, types: [...types], from, profilesMin });
  const analysed = await rows
    .selectFrom("analyses")
    .select(["service", "type"])
    .where("orgId", "=", orgId)
    .where("requestKey", "=", dailyRequest)
    .where("createdAt", ">", since.toISOString())
    .execute();
  const done = new Set(analysed.map(({ service, type }) => JSON.stringify([service, type])));
  const due = active
    .filter(({ service, type }) => !done.has(JSON.stringify([service, type])))
    .map((series) => ({ orgId, ...series }));
  return { due, isActive: active.length > 0 };
}

function requestOf({ orgId, service, type }: Series, nowMs: number) {
  const range = { ...toWholeMinutes({ fromMs: nowMs - dayMs, toMs: nowMs }), tags: {} };
  return {
    orgId,
    service,
    type,
    displayType: type,
    profileId: null,
    subject: JSON.stringify({ range }),
    subjectFrom: new Date(range.fromMs).toISOString(),
    subjectTo: new Date(range.toMs).toISOString(),
    requestKey: dailyRequest,
    options: JSON.stringify(everything),
    provider: "builtin" as const,
    model: null,
    createdBy: null,
  };
}

/** Removes the earlier daily analyses of the series, except those that findings lead to. */
async function removeReplaced(rows: RowStore, { orgId, service, type }: Series): Promise<void> {
  const linked = rows
    .selectFrom("findings")
    .select("findings.analysisId")
    .where("findings.orgId", "=", orgId)
    .where("findings.service", "=", service);
  await rows
    .deleteFrom("analyses")
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("displayType", "=", type)
    .where("requestKey", "=", dailyRequest)
    .where("status", "in", ["completed", "failed"])
    .where("id", "not in", linked)
    .execute();
}
