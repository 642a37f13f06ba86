import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
  type ServerEndpoint,
  startClickHouse,
  type TestClickHouse,
} from "@flamekeep/server/testing/clickhouse";
import type { RunningPostgres } from "@flamekeep/server/testing/postgres";
import type { Random } from "#random";
import { type Balancer, startBalancer } from "./balancer.ts";
import { lastingPort } from "./lasting-port.ts";
import { Member } from "./member.ts";

/** Servers over one PostgreSQL and one column store that is reached by URL, behind a balancer. */
export interface Cluster extends AsyncDisposable {
  /** The balancer. */
  readonly url: string;
  readonly members: readonly Member[];
  readonly postgres: RunningPostgres;
  readonly clickHouse: TestClickHouse;
  /** How the servers reach ClickHouse. */
  readonly endpoint: ServerEndpoint;
  /** A member that was never started. */
  addMember(): Promise<Member>;
  /** Takes a member away that does not run. */
  removeMember(member: Member): void;
}

/** Settings that all servers here have, the single one too. */
export const serverSettings = {
  GRPC_PORT: "off",
  ANALYSIS_DAILY: "off",
  INGEST_PER_MINUTE: "10000000",
  LOG_LEVEL: "fatal",
  ...(process.env.LOG_LEVEL !== undefined && { LOG_LEVEL: process.env.LOG_LEVEL }),
};

/** Starts that many servers at the same moment, on empty stores. */
export async function startCluster(
  postgres: RunningPostgres,
  {
    members,
    random,
    betweenProbesMs,
  }: { readonly members: number; readonly random: Random; readonly betweenProbesMs?: number },
): Promise<Cluster> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-cluster-"));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const clickHouse = await startClickHouse({ path: join(folder, "clickhouse"), remove() {} });
  started.defer(() => clickHouse.stop());
  const endpoint = await clickHouse.openEndpoint();
  const settings = {
    ...serverSettings,
    CLICKHOUSE_URL: endpoint.url,
    DATABASE_URL: await postgres.createDatabase(),
    AUTH_SECRET: "a secret that all servers of the cluster have",
    // Longer than the time between two probes of the balancer.
    STOP_DELAY_SECONDS: "1",
    CLUSTER_ADDRESS: "127.0.0.1",
  };
  const all: Member[] = [];
  started.defer(async () => {
    await Promise.all(all.map((member) => member.kill()));
  });
  const addMember = async () => {
    const port = await lastingPort();
    const member = new Member(port, join(folder, `member-${port}`), settings);
    all.push(member);
    return member;
  };
  for (let number = 0; number < members; number++) await addMember();
  await Promise.all(all.map((member) => member.start()));
  const running = () => all.filter(({ isRunning }) => isRunning).map(({ url }) => url);
  const balancer: Balancer = started.use(await startBalancer(running, random, betweenProbesMs));
  const open = started.move();
  return {
    url: balancer.url,
    members: all,
    postgres,
    clickHouse,
    endpoint,
    addMember,
    removeMember(member) {
      all.splice(all.indexOf(member), 1);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
