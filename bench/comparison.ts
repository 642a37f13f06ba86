import { signUp } from "@flamekeep/e2e/sign-up";
import { startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import {
  buildComparison,
  comparisonMediaType,
  decodeComparison,
  encodeComparison,
  layOut,
  shareScale,
} from "@flamekeep/flame/compare";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { pairStacks, type StackTable } from "@flamekeep/profile";
import { variantsOf } from "./load/variants.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

const rounds = 15;
const profilesPerHour = 833;
const calls = 40;
const hourMs = 3_600_000;

/** Two graphs of 200,000 nodes as one, and the call over two hours of a service that sends 20,000 profiles a day. */
export async function benchComparison(): Promise<BenchResult> {
  const { nodes, bytes, measurements } = largeComparison();
  await using server = await startFlamekeep({ env: { DEMO: "off", LOG_LEVEL: "error" } });
  const account = await signUp(server.url);
  const { body } = typicalCpuProfiles(1)[0]!;
  const variants = variantsOf(body);
  const endMs = Math.floor(Date.now() / hourMs) * hourMs;
  for (let index = 0; index < 2 * profilesPerHour; index++) {
    const startedAtMs = Math.round(endMs - (index + 0.5) * (hourMs / profilesPerHour));
    const query = `service=bench&type=cpu&started_at=${startedAtMs}`;
    await account.send(Buffer.concat(variants.at(BigInt(startedAtMs) * 1_000_000n)), query);
  }
  const at = (ms: number) => new Date(ms).toISOString();
  const query = new URLSearchParams({
    service: "bench",
    type: "cpu",
    before_from: at(endMs - 2 * hourMs),
    before_to: at(endMs - hourMs),
    after_from: at(endMs - hourMs),
    after_to: at(endMs),
  });
  const url = `${server.url}/api/v1/protected/flamegraph/diff?${query}`;
  for (const [form, accept] of [
    ["columns", comparisonMediaType],
    ["JSON", "application/json"],
  ] as const) {
    const times: number[] = [];
    for (let call = 0; call < calls; call++) {
      const startedAt = performance.now();
      const reply = await fetch(url, { headers: { ...account.headers, accept } });
      times.push(performance.now() - startedAt);
      const size = (await reply.arrayBuffer()).byteLength;
      if (!reply.ok || size === 0) throw new Error(`${url} answered ${reply.status}`);
    }
    measurements.push({
      what: `call, ${form}, two hours of ${profilesPerHour} profiles, p50`,
      value: quantile(times, 0.5),
      unit: "ms",
      ...(form === "columns" && { bar: atMost(25) }),
    });
  }
  return {
    name: "comparison",
    input: `${nodes} nodes in ${bytes} bytes; ${2 * profilesPerHour} profiles, ${calls} calls each`,
    measurements,
  };
}

function largeComparison() {
  const before = syntheticStacks({ stacks: 31_000, depth: 77, names: 20_000 });
  const after = otherSide(before);
  const meta = sideMeta();
  const times: Record<"build" | "encode" | "open", number[]> = { build: [], encode: [], open: [] };
  let size = { nodes: 0, bytes: 0 };
  const timed = <T>(into: number[], run: () => T): T => {
    const startedAt = performance.now();
    const result = run();
    into.push(performance.now() - startedAt);
    return result;
  };
  for (let round = 0; round < rounds; round++) {
    const sides = [before, after].map((stacks) => ({ stacks, sampleType: 0 }));
    const comparison = timed(times.build, () => buildComparison(pairStacks(sides[0]!, sides[1]!)));
    const bytes = timed(times.encode, () => encodeComparison(comparison, meta));
    timed(times.open, () => {
      const read = decodeComparison(bytes).comparison;
      return layOut(read, shareScale(read));
    });
    size = { nodes: comparison.length, bytes: bytes.length };
  }
  const measurements: Measurement[] = [
    {
      what: "two stack tables as one tree, p50",
      value: quantile(times.build, 0.5),
      unit: "ms",
      bar: atMost(150),
    },
    { what: "as columns, p50", value: quantile(times.encode, 0.5), unit: "ms" },
    {
      what: "columns read and laid out, p50",
      value: quantile(times.open, 0.5),
      unit: "ms",
      bar: atMost(150),
    },
  ];
  return { ...size, measurements };
}

/** Other values, and another function at the end of every tenth stack. */
function otherSide(stacks: StackTable): StackTable {
  const frame = stacks.frame.slice();
  for (let stack = 0; stack < stacks.length; stack += 10) {
    const leaf = stacks.start[stack]!;
    frame[leaf] = (frame[leaf]! + 7) % stacks.frames.length;
  }
  const values = new Float64Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++)
    if (stack % 13 !== 0)
      values[stack] = Math.round(Number(stacks.values[0]![stack]) * (1 + (stack % 7) / 10));
  return { ...stacks, frame, values: [values] };
}

function sideMeta() {
  const side = {
    profileId: null,
    service: "bench",
    from: "",
    to: "",
    tags: {},
    profiles: 1,
    durationMs: 1000,
    total: 1,
  };
  return {
    type: "cpu",
    hash: "",
    sampleTypes: [],
    aggregation: "sum" as const,
    before: side,
    after: side,
    normalisations: [{ per: "profile" as const, before: 1, after: 1 }] as const,
    noRequests: null,
  };
}
