import type { Context } from "#context";
import { readPayload } from "#store/payloads/read-payload.ts";
import { latestSnapshot } from "./queries.ts";
import type { FindLatest } from "./series-memory.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** The latest snapshot of a series from the store: its original bytes hold the counters. */
export function findLatestIn({ columns, payloads }: Context, pool: WorkerPool): FindLatest {
  return async (series, from) => {
    const { orgId, service, type, sampleTypes, tags } = series;
    const tagNames = [...tags.keys()];
    const tagValues = [...tags.values()];
    const params = { orgId, service, type, from, sampleTypes: [...sampleTypes], tagNames, tagValues };
    const [row] = await columns.ask(latestSnapshot, params);
    if (row === undefined) return undefined;
    const payload = await readPayload(payloads, orgId, row.profileId);
    const shown = await pool.readCounters(Uint8Array.from(payload));
    return shown === undefined ? undefined : { startedAtMs: row.startedAt.getTime(), shown };
  };
}
