import { signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { buildCallTree, encodeFlameGraph, flameGraphMediaType } from "@flamekeep/flame";
import { sumStacks } from "@flamekeep/profile";
import { cpuPerCall } from "./cpu.ts";
import { variantsOf } from "./load/variants.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

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
  const { ids, call } = await store(server, body);
  const measurements: Measurement[] = [{ what: "tree and columns, CPU", value: treeUs / 1000, unit: "ms" }];
  for (const [form, accept] of [
    ["columns", flameGraphMediaType],
    ["JSON", "application/json"],
  ] as const) {
    const first: number[] = [];
    for (const id of ids) first.push(await call(`flamegraph/${id}`, accept));
    await call(`profile/${ids[0]}`, "application/json");
    const open: number[] = [];
    for (const _ of ids) open.push(await call(`flamegraph/${ids[0]}`, accept));
    measurements.push(
      {
        what: `call, ${form}, of a profile nobody looked at, p50`,
        value: quantile(first, 0.5),
        unit: "ms",
        bar: atMost(15),
      },
      { what: `call, ${form}, on its page, p50`, value: quantile(open, 0.5), unit: "ms", bar: atMost(15) },
      { what: `call, ${form}, on its page, p99`, value: quantile(open, 0.99), unit: "ms" },
    );
  }
  return {
    name: "flame-graph",
    input: `${name}, ${body.length} bytes, ${stacks.length} distinct stacks, ${rounds} calls each`,
    measurements,
  };
}

/** The same profile as taken again and again. */
async function store(server: Flamekeep, body: Buffer) {
  const account = await signUp(server.url);
  const variants = variantsOf(body);
  const ids: string[] = [];
  for (let age = 0; age < rounds; age++) {
    const startedAtMs = Date.now() - age * 10_000;
    const query = `service=bench&type=cpu&started_at=${startedAtMs}`;
    ids.push(await account.send(Buffer.concat(variants.at(BigInt(startedAtMs) * 1_000_000n)), query));
  }
  /** Milliseconds until the answer begins, which is when the server has all of it. */
  const call = async (path: string, accept: string): Promise<number> => {
    const url = `${server.url}/api/v1/protected/${path}`;
    const startedAt = performance.now();
    const reply = await fetch(url, { headers: { ...account.headers, accept } });
    const ms = performance.now() - startedAt;
    const bytes = await reply.arrayBuffer();
    if (!reply.ok || bytes.byteLength === 0) throw new Error(`${url} answered ${reply.status}`);
    return ms;
  };
  return { ids, call };
}
