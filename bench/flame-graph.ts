import { signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { buildCallTree, encodeFlameGraph, flameGraphMediaType } from "@flamekeep/flame";
import { sumStacks } from "@flamekeep/profile";
import { cpuPerCall } from "./cpu.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type BenchResult, quantile } from "./result.ts";

const rounds = 200;

/** The flame graph of one profile: the tree alone, and the whole call over HTTP. */
export async function benchFlameGraph(): Promise<BenchResult> {
  const { name, body, profile } = typicalCpuProfiles(1)[0]!;
  const stacks = sumStacks(profile);
  const sampleType = stacks.sampleTypes.findIndex(({ type }) => type === "cpu");
  const meta = {
    profileId: "0".repeat(32),
    totalSamples: profile.samples.length,
    durationMs: 0,
    profileHash: "",
  };
  const treeUs = cpuPerCall(() => encodeFlameGraph(buildCallTree(stacks, sampleType), meta), 500_000);
  await using server = await startFlamekeep({ env: { DEMO: "off", LOG_LEVEL: "error" } });
  const call = await store(server, body);
  const binary = await callTimes(call, flameGraphMediaType);
  const json = await callTimes(call, "application/json");
  return {
    name: "flame-graph",
    input: `${name}, ${body.length} bytes, ${stacks.length} distinct stacks, ${rounds} calls`,
    measurements: [
      { what: "tree and columns, CPU", value: treeUs / 1000, unit: "ms" },
      { what: "call, columns, p50", value: quantile(binary, 0.5), unit: "ms", bar: atMost(15) },
      { what: "call, columns, p99", value: quantile(binary, 0.99), unit: "ms" },
      { what: "call, JSON, p50", value: quantile(json, 0.5), unit: "ms", bar: atMost(15) },
    ],
  };
}

async function store(server: Flamekeep, body: Buffer) {
  const account = await signUp(server.url);
  const profileId = await account.send(body, `service=bench&type=cpu&started_at=${Date.now()}`);
  return { url: `${server.url}/api/v1/protected/flamegraph/${profileId}`, headers: account.headers };
}

async function callTimes({ url, headers }: Awaited<ReturnType<typeof store>>, accept: string) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const reply = await fetch(url, { headers: { ...headers, accept } });
    const bytes = await reply.arrayBuffer();
    times.push(performance.now() - startedAt);
    if (!reply.ok || bytes.byteLength === 0) throw new Error(`${url} answered ${reply.status}`);
  }
  return times;
}
