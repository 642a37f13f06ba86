import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Context } from "#context";
import { connectRows } from "#store/row/row-store.ts";
import { Cluster } from "./cluster.ts";
import { listenAt, type Operation } from "./listen.ts";

/** An upload inflated within another one, and what is said about it. */
const messageBytesMin = 1024 * 1024;

/** Opens the private connection of this process; undefined unless several processes can share the stores. */
export async function openCluster(ctx: Context): Promise<Cluster | undefined> {
  const { config, log, clusterKeys: keys, version } = ctx;
  const { cluster, rows: rowStore, ingest } = config;
  if (cluster === undefined || rowStore.kind !== "postgres") return undefined;
  const operations = new Map<string, Operation>();
  const id = `${machineName()}-${randomBytes(6).toString("hex")}`;
  const listening = {
    id,
    keys,
    operations,
    bytesMax: Math.max(ingest.maxBytes, ingest.maxInflatedBytes, ingest.maxMetricsBytes) + messageBytesMin,
    onError: (error: unknown, name: string) =>
      log.error({ err: error, call: name }, "a call of another server failed"),
  };
  const server = await listenAt(listening, cluster);
  const rows = connectRows(rowStore, log);
  const parts = { rows, keys, log, version, deadMs: cluster.deadMs };
  return new Cluster(parts, { id, host: cluster.host, server, operations });
}

const bootIdFile = "/proc/sys/kernel/random/boot_id";

/** Two machines of one image may have the same name and the same first address. Each start of a kernel has another id. */
function machineName(): string {
  if (!existsSync(bootIdFile)) return hostname();
  return `${hostname()}-${readFileSync(bootIdFile, "utf8").slice(0, 8)}`;
}
