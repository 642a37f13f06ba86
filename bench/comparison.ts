import { buildComparison, encodeFlameGraph, layOut } from "@flamekeep/flame";
import { decodeComparison, selfChangeColours, shareScale, whatChanged } from "@flamekeep/flame/compare";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { pairStacks, type StackTable } from "@flamekeep/profile";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

const rounds = 15;

/** Two graphs of 200,000 nodes as one. */
export async function benchComparison(): Promise<BenchResult> {
  const { nodes, bytes, measurements } = largeComparison();
  return { name: "comparison", input: `${nodes} nodes in ${bytes} bytes`, measurements };
}

function largeComparison() {
  const before = syntheticStacks({ stacks: 31_000, depth: 77, names: 20_000 });
  const after = otherSide(before);
  const meta = sideMeta();
  const times: Record<"build" | "encode" | "open" | "colour" | "rank", number[]> = {
    build: [],
    encode: [],
    open: [],
    colour: [],
    rank: [],
  };
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
    const bytes = timed(times.encode, () => encodeFlameGraph(comparison, meta));
    const drawn = timed(times.open, () => {
      const read = decodeComparison(bytes).tree;
      return layOut(read, shareScale(read));
    });
    timed(times.colour, () => selfChangeColours(drawn, meta.type));
    timed(times.rank, () => whatChanged(drawn, meta.type));
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
    { what: "colors by the change of self values, p50", value: quantile(times.colour, 0.5), unit: "ms" },
    { what: "functions ranked by their change, p50", value: quantile(times.rank, 0.5), unit: "ms" },
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
