import type { Context } from "#context";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { latestSnapshot } from "./queries.ts";
import type { FindLatest } from "./series-memory.ts";
import type { WorkerPool } from "./worker-pool.ts";

/**
 * The latest snapshot of a series from the store: its original bytes hold the counters. Where those are gone, with a
 * damaged file, the series begins anew: it must not be refused for as long as the snapshot is the latest.
 */
export function findLatestIn({ columns, payloads, log }: Context, pool: WorkerPool): FindLatest {
  return async (series, from) => {
    const { orgId, service, type, sampleTypes, tags } = series;
    const tagNames = [...tags.keys()];
    const tagValues = [...tags.values()];
    const params = { orgId, service, type, from, sampleTypes: [...sampleTypes], tagNames, tagValues };
    const [row] = await columns.ask(latestSnapshot, params);
    if (row === undefined) return undefined;
    const stored = await payloads.read(orgId, row.profileId).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      if (error instanceof DayUnavailable && error.fault !== "unwritable") throw error;
      log.error({ err: error, orgId, profileId: row.profileId }, "a snapshot's bytes cannot be read");
    });
    if (stored === undefined) return undefined;
    const shown = await pool.readCounters(orgId, Uint8Array.from(stored.bytes));
    return shown === undefined ? undefined : { startedAtMs: row.startedAt.getTime(), shown };
  };
}
