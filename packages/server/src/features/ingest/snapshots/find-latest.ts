import type { Context } from "#context";
import type { WorkerPool } from "#ingest/encode/worker-pool.ts";
import { type LatestOfProcess, latestOfProcesses } from "#ingest/queries.ts";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import { versionTags } from "#store/profiles/tag-names.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { countersOnly } from "./counters.ts";
import { processesMax, type SeenProcess } from "./processes.ts";
import type { FindProcesses, ProcessSearch } from "./series-memory.ts";

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
    const process = {
      key: row.process,
      first: { atMs: row.firstAt.getTime(), totals: counters(row.firstTotals) },
      last: { atMs: row.lastAt.getTime(), totals: counters(row.lastTotals) },
    };
    if (only === "pace") {
      return { ...process, identity: "", counters: { ids: new BigUint64Array(), values: [] } };
    }
    const stored = await payloads.read(orgId, row.profileId).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      if (error instanceof DayUnavailable && error.fault !== "unwritable") throw error;
      log.error({ err: error, orgId, profileId: row.profileId }, "a snapshot's bytes cannot be read");
    });
    if (stored === undefined) return undefined;
    const read = await pool.readCounters(orgId, Uint8Array.from(stored.bytes));
    if (read === undefined) return undefined;
    return {
      ...process,
      identity: read.identity,
      counters: countersOnly(read.stackValues, series.isCounter),
    };
  }
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
    processes: typeof only === "object" ? [only.identity] : [],
    limit: only === "pace" ? 1 : processesMax,
  };
}
