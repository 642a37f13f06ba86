import { z } from "zod";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { placeOf } from "#store/reach.ts";
import { StoreRefused } from "#store/unavailable.ts";
import type { ColumnClient } from "./client.ts";

/** A shard of a cluster, as ClickHouse's configuration defines it. */
interface Shard {
  readonly cluster: string;
  readonly hosts: readonly string[];
}

interface Table {
  readonly table: string;
  readonly isReplicated: boolean;
}

interface Server {
  readonly url: string;
  /** CLICKHOUSE_CLUSTER. */
  readonly cluster?: string;
}

const shards = maintenanceQuery({
  name: "cluster.shards",
  sql: `SELECT cluster, arraySort(groupArray(host_name)) AS hosts FROM system.clusters
        GROUP BY cluster, shard_num ORDER BY cluster, shard_num`,
  params: z.object({}),
  row: z.object({ cluster: z.string(), hosts: z.array(z.string()) }),
});

const tables = maintenanceQuery({
  name: "cluster.tables",
  sql: `SELECT name AS table, engine LIKE 'Replicated%' AS isReplicated FROM system.tables
        WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name IN (
          SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'org_id')
        ORDER BY table`,
  params: z.object({}),
  row: z.object({ table: z.string(), isReplicated: Count.transform((count) => count === 1) }),
});

const replicas = maintenanceQuery({
  name: "cluster.replicas",
  sql: "SELECT table, total_replicas AS count FROM system.replicas WHERE database = currentDatabase() AND table = 'profiles'",
  params: z.object({}),
  row: z.object({ table: z.string(), count: Count }),
});

/**
 * Throws a StoreRefused unless all servers of the cluster have all rows: each statement runs on one server, so with several shards, or
 * with tables that are not replicated, every figure would be a part of the true one.
 */
export async function checkCluster(
  client: Pick<ColumnClient, "query">,
  { url, cluster }: Server,
): Promise<void> {
  const place = `ClickHouse at ${placeOf(url)}`;
  const refuse = (problem: string | undefined) => {
    if (problem !== undefined) throw new StoreRefused(problem);
  };
  refuse(tablesProblem(place, cluster, await client.query(tables, {})));
  if (cluster === undefined) return;
  const all = await client.query(shards, {});
  refuse(shardsProblem(place, cluster, all));
  const hosts = all.find((shard) => shard.cluster === cluster)?.hosts ?? [];
  for (const { count } of await client.query(replicas, {})) refuse(replicasProblem(cluster, hosts, count));
}

/** Why the shards of the cluster cannot be used; undefined if it has one. */
function shardsProblem(place: string, cluster: string, all: readonly Shard[]): string | undefined {
  const own = all.filter((shard) => shard.cluster === cluster);
  if (own.length === 1) return undefined;
  if (own.length === 0) {
    const names = [...new Set(all.map((shard) => shard.cluster))];
    const others = names.length === 0 ? "It has none" : `It has ${listed(names)}`;
    return `${place} has no cluster ${cluster}. ${others}. Correct CLICKHOUSE_CLUSTER, or remote_servers in ClickHouse's configuration.`;
  }
  const members = own.map(({ hosts }) => hosts.join(" and "));
  return (
    `The cluster ${cluster} of ${place} has ${own.length} shards (${listed(members)}). Flamekeep supports one shard with any number of replicas: ` +
    "with more, each read would find the rows of one shard only. In ClickHouse's configuration, define a cluster whose only shard has all " +
    "these servers as replicas (remote_servers), give them the same macro {shard}, set CLICKHOUSE_CLUSTER to the cluster's name, and CLICKHOUSE_URL " +
    "to an empty database."
  );
}

/** Why the tables are not on all servers; undefined if they are. */
function replicasProblem(cluster: string, hosts: readonly string[], count: number): string | undefined {
  if (count >= hosts.length) return undefined;
  return (
    `The cluster ${cluster} has ${hosts.length} servers (${listed(hosts)}), but the table profiles has ${count} of the replicas: reads on the other ` +
    "servers would miss rows. Give all servers the same macro {shard} and different macros {replica}; create the tables on a server that " +
    "was added (npm run plan-cluster prints them), or remove it from the cluster."
  );
}

/** Why the tables cannot be used with the cluster, or without one; undefined if there are none or all fit. */
function tablesProblem(
  place: string,
  cluster: string | undefined,
  all: readonly Table[],
): string | undefined {
  const wrong = all.filter(({ isReplicated }) => isReplicated !== (cluster !== undefined));
  if (wrong.length === 0) return undefined;
  const names = listed(wrong.map(({ table }) => table));
  return cluster === undefined
    ? `The tables of ${place} are replicated (${names}), but later ones would not be. Set CLICKHOUSE_CLUSTER to the name of their cluster.`
    : `The tables of ${place} are not replicated (${names}): they were made without CLICKHOUSE_CLUSTER. Unset it, or move the data into an empty database of the cluster with npm run move.`;
}

const namesMax = 5;

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return [...names.slice(0, namesMax), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
