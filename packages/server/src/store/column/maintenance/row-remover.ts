import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";

type Client = Pick<ColumnClient, "query" | "command">;

/** Number of removed rows by table. */
export type RemovedRows = Readonly<Record<string, number>>;

export interface ServiceKey {
  readonly orgId: string;
  readonly service: string;
}

/**
 * Removes rows from every table. Tables are read from the schema, not listed, so that none is forgotten.
 *
 * Days are dropped as whole partitions. Fewer rows are removed by lightweight DELETE: when it returns, no query finds
 * the rows and the removal is synced to disk (a mutation syncs its files under the tables' fsync_after_merge settings,
 * counted in system.events on chDB 26.7); `purge` then frees their disk space. Definitions of stacks and frames belong
 * to no service, because services share them: unused ones are dropped with their day.
 */
export class RowRemover {
  readonly #client: Client;
  readonly #onCluster: string;
  readonly #stopped: AbortSignal | undefined;

  /** `stopped` leaves days and purges to the next call; a service is always removed completely. */
  constructor(client: Client, cluster: string | undefined, stopped?: AbortSignal) {
    this.#client = client;
    this.#stopped = stopped;
    this.#onCluster = onCluster(cluster);
  }

  /** Drops the partitions of days before `before`, of all tables or one; returns how many. */
  async dropDays(before: string, only?: "payloads"): Promise<number> {
    const all = await this.#client.query(dayPartitions, { before });
    const partitions = all.filter(({ table }) => only === undefined || table === only);
    return this.#eachUntilStopped(partitions, ({ table, day }) =>
      this.#client.command(`ALTER TABLE \`${table}\` ${this.#onCluster} DROP PARTITION '${day}'`),
    );
  }

  /** Removes an organization's rows of days before `before`. */
  async removeDays(orgId: string, before: string): Promise<RemovedRows> {
    const tables = await this.#client.query(dataTables, {});
    const removed: Record<string, number> = {};
    await this.#eachUntilStopped(tables, async ({ table, dayExpression }) => {
      const where = `org_id = {orgId:UUID} AND ${dayExpression} < {before:Date}`;
      removed[table] = await this.#remove(table, where, { orgId, before });
    });
    return removed;
  }

  /** Removes the profiles of a type of days before `before`, of all organizations; `profiles` goes last, as of a service. */
  async removeType(type: string, before: string): Promise<RemovedRows> {
    const tables = (await this.#client.query(dataTables, {})).filter(({ hasType }) => hasType === 1);
    const isLast = ({ table }: { readonly table: string }) => Number(table === "profiles");
    const removed: Record<string, number> = {};
    await this.#eachUntilStopped(
      tables.toSorted((a, b) => isLast(a) - isLast(b)),
      async ({ table, dayExpression }) => {
        const where = `type = {type:String} AND ${dayExpression} < {before:Date}`;
        removed[table] = await this.#remove(table, where, { type, before });
      },
    );
    return removed;
  }

  /**
   * Removes a service. Payloads are found through their profiles, so they go first; `profiles` goes last, so that the
   * next call completes an interrupted removal.
   */
  async removeService(service: ServiceKey): Promise<RemovedRows> {
    const tables = (await this.#client.query(dataTables, {})).filter(({ hasService }) => hasService === 1);
    const names = tables.map(({ table }) => table).filter((table) => table !== "profiles");
    const ofService = "org_id = {orgId:UUID} AND service = {service:String}";
    const ofProfiles = `org_id = {orgId:UUID} AND profile_id IN (SELECT profile_id FROM profiles WHERE ${ofService})`;
    const remove = async (table: string, where: string) =>
      [table, await this.#remove(table, where, { ...service })] as const;
    const first = [remove("payloads", ofProfiles), ...names.map((table) => remove(table, ofService))];
    return Object.fromEntries([...(await Promise.all(first)), await remove("profiles", ofService)]);
  }

  /** Rewrites the parts that still contain removed rows, one partition at a time; returns the number of partitions. */
  async purge(): Promise<number> {
    const partitions = await this.#client.query(maskedPartitions, {});
    return this.#eachUntilStopped(partitions, ({ table, day }) =>
      this.#client.command(
        `ALTER TABLE \`${table}\` ${this.#onCluster} APPLY DELETED MASK IN PARTITION '${day}'
         SETTINGS mutations_sync = 2`,
      ),
    );
  }

  /** Returns the number of completed steps. */
  async #eachUntilStopped<T>(all: readonly T[], step: (each: T) => Promise<void>): Promise<number> {
    for (const [index, each] of all.entries()) {
      if (this.#stopped?.aborted) return index;
      await step(each);
    }
    return all.length;
  }

  async #remove(table: string, where: string, params: Record<string, unknown>): Promise<number> {
    const counting = maintenanceQuery({
      name: "removal.count",
      sql: `SELECT count() AS count FROM \`${table}\` WHERE ${where}`,
      params: z.record(z.string(), z.unknown()),
      row: z.object({ count: Count }),
    });
    const [{ count = 0 } = {}] = await this.#client.query(counting, params);
    if (count > 0) {
      await this.#client.command(
        `DELETE FROM \`${table}\` ${this.#onCluster} WHERE ${where} SETTINGS lightweight_deletes_sync = 2`,
        params,
      );
    }
    return count;
  }
}

/** The clause of statements that all servers of a ClickHouse cluster are to run. */
export function onCluster(cluster: string | undefined): string {
  return cluster === undefined ? "" : `ON CLUSTER \`${cluster.replaceAll("`", "")}\``;
}

/** Tables with rows of organizations, partitioned by day. */
const dataTables = maintenanceQuery({
  name: "removal.tables",
  sql: `SELECT tables.name AS table, tables.partition_key AS dayExpression, column_flags.has_service AS hasService,
          column_flags.has_type AS hasType
        FROM system.tables AS tables
        JOIN (
          SELECT table, max(name = 'org_id') AS has_org, max(name = 'service') AS has_service,
            max(name = 'type') AS has_type
          FROM system.columns WHERE database = currentDatabase() GROUP BY table
        ) AS column_flags ON column_flags.table = tables.name
        WHERE tables.database = currentDatabase() AND tables.engine LIKE '%MergeTree' AND column_flags.has_org = 1
          AND tables.partition_key != ''
        ORDER BY tables.name`,
  params: z.object({}),
  row: z.object({ table: z.string(), dayExpression: z.string(), hasService: z.int(), hasType: z.int() }),
});

const dayPartitions = maintenanceQuery({
  name: "removal.days",
  sql: `SELECT DISTINCT table, partition AS day
        FROM system.parts
        WHERE database = currentDatabase() AND active AND match(partition, '^\\\\d{4}-\\\\d{2}-\\\\d{2}$')
          AND partition < {before:String}
        ORDER BY day, table`,
  params: z.object({ before: Day }),
  row: z.object({ table: z.string(), day: Day }),
});

/** Every table is partitioned by day: see dataTables. */
const maskedPartitions = maintenanceQuery({
  name: "removal.masked",
  sql: `SELECT DISTINCT table, partition AS day FROM system.parts
        WHERE database = currentDatabase() AND active AND has_lightweight_delete
        ORDER BY day, table`,
  params: z.object({}),
  row: z.object({ table: z.string(), day: Day }),
});
