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
const sizes = [1, 2, 3] as const;
const loadedSeconds = 8;
/** Right before each load that counts: threads end in a pause, and new ones load and compile their code first. */
const warmUpSeconds = 4;
const connections = 48;
const profiles = typicalCpuProfiles(4).map(({ body }) => body);
/** Enough that each server owns about the same number of them. */
const services = 40;
/** Rows of a load are inserted by then, and threads live. */
const restMs = 2500;
const idleMs = 4000;
/** Each probe asks both stores. A real balancer sends one in some seconds. */
const betweenProbesMs = 5000;
/** Uploads of each server: two of them fit into two cores, with the senders and the stores. */
const pacedPerServer = 80;
/** Two servers, each with a core, have to take this many times as much as one server with a core. */
const timesMin = 1.7;

interface Side {
  readonly members: number;
  readonly cluster: Cluster;
  readonly account: Account;
  /** CPU of all servers together without uploads, in cores. */
  readonly idleCores: number[];
  readonly cpuMs: number[];
  readonly perSecond: number[];
  /** CPU of a profile where each server gets the same number of uploads, as with a core for each. */
  readonly pacedCpuMs: number[];
}

/**
 * CPU of a profile in all servers of a cluster, by the number of servers. All processes share the cores of this machine, the column store and
 * the senders too, so that throughput says how many cores there are. The CPU of a profile says how many a server takes with a separate core.
 * The CPU that servers use without uploads is taken off: with a core for each it is the same part of each core, and here that of a few profiles.
 *
 * Two servers that share the cores get less each than one server that has them alone, and a profile costs a server more CPU the fewer come: its
 * batches are smaller. So the bar compares one and two servers at the same rate for each.
 */
export async function priceOfMoreServers(postgres: RunningPostgres, seed: number): Promise<Measurement[]> {
  await using started = new AsyncDisposableStack();
  const sides: Side[] = [];
  for (const members of sizes) {
    const random = new Random(seed + members);
    const cluster = started.use(await startCluster(postgres, { members, random, betweenProbesMs }));
    const account = await signUp(cluster.url);
    sides.push({ members, cluster, account, idleCores: [], cpuMs: [], perSecond: [], pacedCpuMs: [] });
  }
  for (const side of sides) await load(side, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { idleCores, cpuMs, perSecond } = await measure(side);
      side.idleCores.push(idleCores);
      side.cpuMs.push(cpuMs);
      side.perSecond.push(perSecond);
      if (side.members <= 2) side.pacedCpuMs.push(await measurePaced(side));
    }
  }
  const [one, two] = sides.slice(0, 2).map((side) => quantile(side.pacedCpuMs, 0.5));
  return [
    { what: `CPU of a profile, one server at ${pacedPerServer} a second`, value: one!, unit: "ms" },
    { what: `CPU of a profile, 2 servers at ${pacedPerServer} a second each`, value: two!, unit: "ms" },
    {
      what: "what 2 servers take with a core each, over one with a core",
      value: (2 * one!) / two!,
      unit: "x",
      bar: atLeast(timesMin, true),
    },
    ...sides.flatMap(measurementsOf),
  ];
}

function measurementsOf({ members, ...side }: Side): Measurement[] {
  const name = members === 1 ? "one server" : `${members} servers`;
  return [
    { what: `CPU of a profile, ${name} at most load`, value: quantile(side.cpuMs, 0.5), unit: "ms" },
    {
      what: `CPU without uploads, ${name}`,
      value: 1000 * quantile(side.idleCores, 0.5),
      unit: "ms a second",
    },
    {
      what: `acknowledged a second by ${name}, on this machine`,
      value: quantile(side.perSecond, 0.5),
      unit: "profiles",
    },
  ];
}

function cpuSecondsOf({ cluster }: Side): number {
  return cluster.members.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0);
}

async function idleCoresOf(side: Side): Promise<number> {
  const [startMs, before] = [performance.now(), cpuSecondsOf(side)];
  await sleep(idleMs);
  return (1000 * (cpuSecondsOf(side) - before)) / (performance.now() - startMs);
}

async function measure(side: Side) {
  await load(side, warmUpSeconds);
  await sleep(restMs);
  const idleCores = await idleCoresOf(side);
  const [startMs, before] = [performance.now(), cpuSecondsOf(side)];
  const { acknowledged, seconds } = await load(side, loadedSeconds);
  await sleep(restMs);
  const cpuMs = 1000 * (cpuSecondsOf(side) - before) - idleCores * (performance.now() - startMs);
  return { idleCores, cpuMs: cpuMs / acknowledged, perSecond: acknowledged / seconds };
}

/** With the CPU that servers use without uploads: each has the same part of it. */
async function measurePaced(side: Side): Promise<number> {
  await load(side, warmUpSeconds, pacedPerServer);
  const before = cpuSecondsOf(side);
  const { acknowledged } = await load(side, loadedSeconds, pacedPerServer);
  await sleep(restMs);
  return (1000 * (cpuSecondsOf(side) - before)) / acknowledged;
}

/** From a sender for each server, so that no balancer takes a part of the cores. Each service has senders at all servers. */
async function load({ cluster, account, members }: Side, seconds: number, perSecond?: number) {
  const loads = cluster.members.map(({ url }) =>
    runLoad({
      url,
      key: account.key,
      profiles,
      services,
      connections: connections / members,
      seconds,
      ...(perSecond !== undefined && { perSecond }),
    }),
  );
  const results = await Promise.all(loads);
  const acknowledged = results.reduce((sum, result) => sum + result.acknowledged, 0);
  return { acknowledged, seconds: Math.max(...results.map((result) => result.seconds)) };
}
