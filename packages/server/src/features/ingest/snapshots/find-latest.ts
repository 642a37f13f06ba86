import { z } from "zod";
import type { Context } from "#context";
import { countersOnly } from "#ingest/rows/counters.ts";
import type { WorkerPool } from "#ingest/threads/worker-pool.ts";
import { query } from "#store/column/query.ts";
import { Instant, Int64 } from "#store/column/values.ts";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import { versionTags } from "#store/profiles/tag-names.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type Pace, processesMax, type SeenProcess } from "./processes.ts";
import type { FindProcesses, ProcessSearch } from "./series-memory.ts";

/**
 * The latest stored snapshot of each process of a series, the latest process first. Rows of SDK uploads name a process too, and a
 * session. Rows that older versions wrote name no process and are taken for one. `delta` marks profiles that look like snapshots
 * and are not: see `delta=true` in docs/sending.md.
 */
const latestOfProcesses = query({
  name: "ingest.latest_of_processes",
  sql: `SELECT facts['process'] AS process, argMax(profile_id, started_at) AS profileId,
      max(started_at) AS lastAt, argMax(totals, started_at) AS lastTotals,
      min(started_at) AS firstAt, argMin(totals, started_at) AS firstTotals,
      argMin(profile_id, started_at) AS firstProfileId, sumForEach(deltas_totals) AS addedTotals
    FROM profiles
    WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
      AND started_at >= {from:DateTime64(3, 'UTC')}
      AND duration_ns = 0 AND NOT mapContains(facts, 'delta') AND NOT mapContains(facts, 'session')
      AND (sender = 'api' OR mapContains(facts, 'process'))
      AND sample_types = {sampleTypes:Array(String)}
      AND mapKeys(mapFilter((name, value) -> NOT has({ignoredTags:Array(String)}, name), tags)) = {tagNames:Array(String)}
      AND mapValues(mapFilter((name, value) -> NOT has({ignoredTags:Array(String)}, name), tags)) = {tagValues:Array(String)}
      AND (empty({processes:Array(String)}) OR has({processes:Array(String)}, facts['process']))
    GROUP BY process
    ORDER BY max(started_at) DESC
    LIMIT {limit:UInt8}`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    from: z.date(),
    sampleTypes: z.array(z.string()),
    ignoredTags: z.array(z.string()),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
    processes: z.array(z.string()),
    limit: z.int(),
  }),
  row: z.object({
    process: z.string(),
    profileId: z.string(),
    lastAt: Instant,
    lastTotals: z.array(Int64),
    firstAt: Instant,
    firstTotals: z.array(Int64),
    firstProfileId: z.string(),
    addedTotals: z.array(Int64),
  }),
});
type LatestOfProcess = z.output<typeof latestOfProcesses.row>;

/**
 * The processes that have sent snapshots to a series, from the store, the latest at the end. The original bytes hold the
 * counters. Where those are gone, with a damaged file, the process counts as not seen: a series must not be refused for as long
 * as the snapshot is the latest.
 */
export function findLatestIn({ columns, payloads, log }: Context, pool: WorkerPool): FindProcesses {
  return async (search, from) => {
    const rows = await columns.query(latestOfProcesses, paramsOf(search, from));
    const found = await Promise.all(rows.reverse().map((row) => toProcess(search, row)));
    return found.filter((process) => process !== undefined);
  };

  async function toProcess(
    { series, only }: ProcessSearch,
    row: LatestOfProcess,
  ): Promise<SeenProcess | undefined> {
    const { orgId } = series;
    const counters = (totals: readonly bigint[]) => totals.filter((_, type) => series.isCounter[type]);
    const first = { atMs: row.firstAt.getTime(), totals: counters(row.firstTotals) };
    const last = { atMs: row.lastAt.getTime(), totals: counters(row.lastTotals) };
    const isFirst = typeof only === "object" && "firstOf" in only;
    if (isFirst && !hasAddedNothing(first, last, counters(row.addedTotals))) return undefined;
    const process = { key: row.process, first, last: isFirst ? first : last };
    const profileId = isFirst ? row.firstProfileId : row.profileId;
    if (only === "pace") {
      return { ...process, identity: "", counters: { ids: new BigUint64Array(), values: [] } };
    }
    const stored = await payloads.read(orgId, profileId).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      if (error instanceof DayUnavailable && error.fault !== "unwritable") throw error;
      log.error({ err: error, orgId, profileId }, "a snapshot's bytes cannot be read");
    });
    if (stored === undefined) return undefined;
    const read = await pool.readCounters(orgId, stored.bytes);
    if (read === undefined) return undefined;
    return {
      ...process,
      // The identity is made of addresses, which columns do not have.
      identity: stored.rebuilt !== undefined ? identityIn(row.process) : read.identity,
      counters: countersOnly(read.stackValues, series.isCounter),
    };
  }
}

/** Whether all but what the first snapshot shows was added. */
function hasAddedNothing(first: Pace["first"], last: Pace["last"], added: readonly bigint[]): boolean {
  return first.totals.every((total, c) => last.totals[c]! - added[c]! === total);
}

/** The identity in the key of a process. */
function identityIn(key: string): string {
  return key.split("~", 1)[0]!;
}

function paramsOf({ series, only }: ProcessSearch, from: Date) {
  const { orgId, service, type, sampleTypes } = series;
  const ignoredTags = only === "pace" ? [...versionTags] : [];
  const tags = [...series.tags].filter(([name]) => !ignoredTags.includes(name));
  return {
    orgId,
    service,
    type,
    from,
    sampleTypes: [...sampleTypes],
    ignoredTags,
    tagNames: tags.map(([name]) => name),
    tagValues: tags.map(([, value]) => value),
    processes: typeof only === "object" ? ["firstOf" in only ? only.firstOf : only.identity] : [],
    limit: only === "pace" ? 1 : processesMax,
  };
}
