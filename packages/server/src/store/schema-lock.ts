import { hostname } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { StoreLog } from "#store/log.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

/** Runs a migration in one process at a time. `check` throws once another process may have begun. */
export type SchemaLock = <T>(run: (check: () => void) => Promise<T>) => Promise<T>;

/** For stores that only this process uses. */
export const noSchemaLock: SchemaLock = (run) => run(() => undefined);

/** Arbitrary, the same in all versions. */
const lockSpace = 0x464b;
const stores = { "row store": 1, "column store": 2 } as const;
const retryMs = 500;
const remindMs = 30_000;

/**
 * A lock of a transaction of PostgreSQL: it ends with its process, and the database says who has it and since when. A pooler that gives
 * a connection to each transaction keeps it too.
 */
export function openSchemaLock(url: string, store: keyof typeof stores, log: StoreLog): SchemaLock {
  return async (run) => {
    const client = new Client({
      connectionString: url,
      application_name: `flamekeep on ${hostname()}, process ${process.pid}`,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    let lost: Error | undefined;
    client.on("error", (error) => {
      lost = error;
    });
    try {
      await client.connect();
      await takeLock(client, store, log);
      return await run(() => {
        if (lost === undefined) return;
        throw new StoreUnavailable(`The lock of the ${store}'s schema was lost.`, { cause: lost });
      });
    } finally {
      // Ends the transaction, and with it the lock.
      await client.end().catch(() => undefined);
    }
  };
}

async function takeLock(client: Client, store: keyof typeof stores, log: StoreLog): Promise<void> {
  const key = [lockSpace, stores[store]];
  let remindedMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    await client.query("BEGIN");
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    const { rows } = await client.query("SELECT pg_try_advisory_xact_lock($1, $2) AS taken", key);
    if (rows[0].taken) return;
    // So that the transaction of the holder begins with its lock.
    await client.query("ROLLBACK");
    if (performance.now() - remindedMs > remindMs) {
      remindedMs = performance.now();
      const { rows: holders } = await client.query(holderOfLock, key);
      log.warn({ ...holders[0] }, `waiting: another Flamekeep changes the schema of the ${store}`);
    }
    await sleep(retryMs);
  }
}

const holderOfLock = `SELECT application_name AS holder, client_addr AS address,
    to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since,
    date_trunc('second', clock_timestamp() - xact_start)::text AS "heldFor"
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
