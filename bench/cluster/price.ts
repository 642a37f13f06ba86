import { setTimeout as sleep } from "node:timers/promises";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import type { RunningPostgres } from "@flamekeep/server/testing/postgres";
import { runLoad } from "#load/run-load.ts";
import { usageOf } from "#processes";
import { typicalCpuProfiles } from "#profiles";
import { Random } from "#random";
import { atLeast, type Measurement, quantile } from "#result";
import { type Cluster, startCluster } from "./cluster.ts";

const rounds = 3;
const loadedSeconds = 8;
const warmUpSeconds = 4;
const connections = 48;
/** Enough that each server owns about half of them. */
const services = 40;
/** Rows of a load are inserted before the next. */
const restMs = 5000;
/** Two servers, each with a core, have to take this many times as much as one server with a core. */
const timesMin = 1.7;

interface Side {
  readonly cluster: Cluster;
  readonly account: Account;
  readonly cpuMs: number[];
  readonly perSecond: number[];
}

/**
 * CPU of a profile in all servers of a cluster: of one server, and of two. All processes share the cores of this machine, the column store and
 * the senders too, so that throughput says how many cores there are. The CPU of a profile says how many a server takes with a separate core.
 */
export async function priceOfSecondServer(postgres: RunningPostgres, seed: number): Promise<Measurement[]> {
  await using oneServer = await startCluster(postgres, { members: 1, random: new Random(seed) });
  await using twoServers = await startCluster(postgres, { members: 2, random: new Random(seed + 1) });
  const [one, two] = [await sideOf(oneServer), await sideOf(twoServers)];
  for (const side of [one, two]) await load(side, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? [one, two] : [two, one]) {
      const { cpuMs, perSecond } = await load(side, loadedSeconds);
      side.cpuMs.push(cpuMs);
      side.perSecond.push(perSecond);
    }
  }
  const [cpuOfOne, cpuOfTwo] = [quantile(one.cpuMs, 0.5), quantile(two.cpuMs, 0.5)];
  return [
    { what: "CPU of a profile, one server", value: cpuOfOne, unit: "ms" },
    { what: "CPU of a profile, two servers together", value: cpuOfTwo, unit: "ms" },
    {
      what: "what two servers take with a core each, over one with a core",
      value: (2 * cpuOfOne) / cpuOfTwo,
      unit: "x",
      bar: atLeast(timesMin, true),
    },
    {
      what: "acknowledged a second by one, on this machine",
      value: quantile(one.perSecond, 0.5),
      unit: "profiles",
    },
    {
      what: "acknowledged a second by two, on this machine",
      value: quantile(two.perSecond, 0.5),
      unit: "profiles",
    },
  ];
}

async function sideOf(cluster: Cluster): Promise<Side> {
  return { cluster, account: await signUp(cluster.url), cpuMs: [], perSecond: [] };
}

async function load({ cluster, account }: Side, seconds: number) {
  const cpuSeconds = () => cluster.members.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0);
  const before = cpuSeconds();
  const { acknowledged, seconds: lasted } = await runLoad({
    url: cluster.url,
    key: account.key,
    profiles: typicalCpuProfiles(4).map(({ body }) => body),
    services,
    connections,
    seconds,
  });
  await sleep(restMs);
  return { cpuMs: (1000 * (cpuSeconds() - before)) / acknowledged, perSecond: acknowledged / lasted };
}
