import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "@flamekeep/e2e/sign-up";
import { loadSeconds, loadServices, startUnderLoad } from "./load/conditions.ts";
import { type LoadResult, refusedOf, runLoad } from "./load/run-load.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

/** As many as keep the server saturated whatever it does. */
const floodConnections = 1024;
/** A small organization: a few services that send every few seconds. */
const quietPerSecond = 10;
const quietConnections = 64;
const warmUpSeconds = 5;

/** How long a quiet organization waits, alone and while another one sends as fast as it is answered. */
export async function benchFairness(): Promise<BenchResult> {
  const seconds = loadSeconds();
  const profiles = typicalCpuProfiles(4).map(({ body }) => body);
  await using server = await startUnderLoad();
  const common = { url: server.url, profiles, services: loadServices };
  const { key: quietKey } = await signUp(server.url);
  const { key: floodKey } = await signUp(server.url);
  const quietly = (duration: number) =>
    runLoad({
      ...common,
      key: quietKey,
      seconds: duration,
      connections: quietConnections,
      perSecond: quietPerSecond,
    });
  await quietly(warmUpSeconds);
  const alone = await quietly(seconds);
  const ending = new AbortController();
  const flooding = runLoad({
    ...common,
    key: floodKey,
    seconds: seconds + 60,
    connections: floodConnections,
    until: ending.signal,
  });
  await sleep(warmUpSeconds * 1000);
  const flooded = await quietly(seconds);
  ending.abort();
  const flood = await flooding;
  return resultOf(alone, flooded, flood, profiles);
}

function resultOf(
  alone: LoadResult,
  flooded: LoadResult,
  flood: LoadResult,
  profiles: readonly Uint8Array[],
): BenchResult {
  return {
    name: "fairness",
    input: `${profiles.map(({ length }) => length).join(", ")} bytes gzipped; quiet: ${quietPerSecond} a second; flood: ${floodConnections} connections; ${alone.seconds.toFixed(0)} s each`,
    measurements: [
      { what: "quiet, alone, p50", value: alone.p50Ms, unit: "ms" },
      { what: "quiet, alone, p99", value: alone.p99Ms, unit: "ms" },
      { what: "quiet, during a flood, p50", value: flooded.p50Ms, unit: "ms" },
      { what: "quiet, during a flood, p99", value: flooded.p99Ms, unit: "ms" },
      {
        what: "p99 during a flood over alone",
        value: flooded.p99Ms / alone.p99Ms,
        unit: "x",
        bar: atMost(3),
      },
      {
        what: "quiet, refused or broken",
        value: refusedOf(alone) + refusedOf(flooded),
        unit: "requests",
        bar: atMost(0, true),
      },
      {
        what: "quiet, acknowledged during a flood",
        value: flooded.acknowledged,
        unit: "profiles",
        bar: atLeast(1, true),
      },
      { what: "the flood, acknowledged", value: flood.acknowledged / flood.seconds, unit: "profiles/s" },
      { what: "the flood, p50", value: flood.p50Ms, unit: "ms" },
      { what: "the flood, p99", value: flood.p99Ms, unit: "ms" },
    ],
  };
}
