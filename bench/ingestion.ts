import { signUp } from "@flamekeep/e2e/sign-up";
import type { Flamekeep } from "@flamekeep/e2e/start-flamekeep";
import { loadSeconds, loadServices, startUnderLoad } from "./load/conditions.ts";
import { type LoadResult, refusedOf, runLoad } from "./load/run-load.ts";
import { MemoryWatch } from "./memory.ts";
import { newStacks } from "./new-stacks.ts";
import { usageOf } from "./processes.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult, type Measurement, quantile } from "./result.ts";
import { storedIn } from "./stored.ts";

const connections = 256;
/** The rate the product promises its latency at. */
const promisedPerSecond = 500;
/** A machine that is slower than that is asked for less than it can take, as a server in use would be. */
const shareOfThroughput = 0.7;
/** Enough that no request waits for a connection. */
const steadyConnections = 512;
const latencyMsMax = 350;
/** p99 over the mean when the server is saturated: nobody waits much longer than the others. */
const saturatedSpreadMax = 2.5;

/**
 * CPU profiles of about 70 KB over HTTP: as fast as they are acknowledged, then at a steady rate. BENCH_SECONDS says for
 * how long each.
 */
export async function benchIngestion(): Promise<BenchResult> {
  const seconds = loadSeconds();
  const profiles = typicalCpuProfiles(4);
  await using server = await startUnderLoad();
  const bodies = profiles.map(({ body }) => body);
  const { saturated, steady, perSecond, cpuSeconds, underLoad, idleSeconds, peakBytes } = await loadBoth(
    server,
    { seconds, services: loadServices, profiles: bodies },
  );
  await server.stop("SIGTERM");
  const stored = storedIn(server.dataDir);
  const throughput = throughputOf(saturated);
  const ofNewStacks = await newStacks();

  return {
    name: "ingestion",
    input: `${profiles.map(({ body }) => body.length).join(", ")} bytes gzipped, ${loadServices} services, ${connections} connections, ${saturated.seconds.toFixed(0)} s, the sender on the same machine`,
    measurements: [
      { what: "acknowledged", value: throughput, unit: "profiles/s", bar: atLeast(promisedPerSecond) },
      ...saturatedLatencies(saturated, throughput),
      ...steadyLatencies(steady, perSecond),
      {
        what: "refused or broken",
        value: refusedOf(saturated) + refusedOf(steady),
        unit: "requests",
        bar: atMost(0, true),
      },
      {
        what: "acknowledged but not stored",
        value: newIn(saturated) + newIn(steady) - stored.profiles,
        unit: "profiles",
        bar: atMost(0, true),
      },
      {
        what: "resident memory of all processes, peak until idle",
        value: peakBytes / 1e6,
        unit: "MB",
        bar: atMost(900),
      },
      {
        what: "resident memory under load, last quarter over second",
        value: growth(underLoad.map(({ residentBytes }) => residentBytes)),
        unit: "x",
        bar: atMost(1.1),
      },
      { what: "busy after the load", value: idleSeconds, unit: "s" },
      {
        what: "CPU of all processes for a profile",
        value: (1000 * cpuSeconds) / saturated.acknowledged,
        unit: "ms",
      },
      { what: "CPU of the sender", value: saturated.senderCpuSeconds / saturated.seconds, unit: "cores" },
      {
        what: "on disk in addition to the original bytes",
        value: 100 * (stored.bytes / stored.payloadBytes - 1),
        unit: "%",
        bar: atMost(10),
      },
      ofNewStacks,
    ],
  };
}

/** Uploads as fast as they are acknowledged; then, once the server is idle, at a steady rate. */
async function loadBoth(
  server: Flamekeep,
  load: { readonly seconds: number; readonly services: number; readonly profiles: readonly Uint8Array[] },
) {
  const { key } = await signUp(server.url);
  const order = { ...load, url: server.url, key };
  const watch = new MemoryWatch(server.pid);
  const before = usageOf(server.pid);
  const saturated = await runLoad({ ...order, connections });
  const cpuSeconds = usageOf(server.pid).cpuSeconds - before.cpuSeconds;
  const underLoad = [...watch.samples];
  await watch.untilIdle();
  const perSecond = Math.min(promisedPerSecond, shareOfThroughput * throughputOf(saturated));
  const steady = await runLoad({ ...order, connections: steadyConnections, perSecond });
  const idleSeconds = await watch.untilIdle();
  watch.end();
  return { saturated, steady, perSecond, cpuSeconds, underLoad, idleSeconds, peakBytes: watch.peakBytes };
}

function throughputOf({ acknowledged, seconds }: LoadResult): number {
  return acknowledged / seconds;
}

/** Senders that wait for each answer wait `connections / throughput` on average, however good the server is. */
function saturatedLatencies({ p50Ms, p99Ms }: LoadResult, throughput: number): Measurement[] {
  const how = `acknowledged after, ${connections} senders that wait for each answer`;
  const meanMs = (1000 * connections) / throughput;
  return [
    { what: `${how}, p50`, value: p50Ms, unit: "ms" },
    { what: `${how}, p99`, value: p99Ms, unit: "ms" },
    {
      what: `${how}, p99 over the mean`,
      value: p99Ms / meanMs,
      unit: "x",
      bar: atMost(saturatedSpreadMax),
    },
  ];
}

function steadyLatencies({ p50Ms, p99Ms }: LoadResult, perSecond: number): Measurement[] {
  const how = `acknowledged after, ${perSecond.toFixed(0)}/s whatever the answers`;
  return [
    { what: `${how}, p50`, value: p50Ms, unit: "ms" },
    { what: `${how}, p99`, value: p99Ms, unit: "ms", bar: atMost(latencyMsMax) },
  ];
}

function newIn({ acknowledged, duplicates }: LoadResult): number {
  return acknowledged - duplicates;
}

function growth(values: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  return quantile(values.slice(-quarter), 0.5) / quantile(values.slice(quarter, 2 * quarter), 0.5);
}
