import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { buildCallTree } from "@flamekeep/flame";
import { figuresOfStacks, syntheticStacks, wrongFigures } from "@flamekeep/flame/testing";
import { defaultLimits, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { inflatedRecording, recordedProfiles } from "@flamekeep/profile/testing/recordings";
import { Random } from "./random.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

/** Real profiles of public projects, where they are next to the repository. */
const corpus = new URL("../../shared/corpus/open/", import.meta.url);
const stacksMax = 30_000;
const graphsMin = 200;
const leastNodes = 100;
const cutsPerGraph = 6;

/**
 * The figures that people read (table, search, legend, selection, callers and callees) of real and made graphs, whole and at cuts from 100
 * nodes to all, held against sums of the stacks alone.
 */
export async function benchFigures(): Promise<BenchResult> {
  let [graphs, cuts] = [0, 0];
  const wrong: string[] = [];
  for (const [name, stacks] of allGraphs()) {
    for (const sampleType of stacks.sampleTypes.keys()) {
      const { length } = buildCallTree(stacks, sampleType);
      if (length < 2) continue;
      const at = cutsOf(length);
      const found = wrongFigures(stacks, sampleType, at, figuresOfStacks(stacks, sampleType));
      wrong.push(...found.map((line) => `${name}, ${stacks.sampleTypes[sampleType]?.type}: ${line}`));
      graphs++;
      cuts += at.length;
    }
  }
  for (const line of wrong.slice(0, 20)) console.error(line);
  return {
    name: "figures",
    input: "recorded, collected and made profiles, each sample type a graph; each graph whole and cut",
    measurements: [
      { what: "graphs", value: graphs, unit: "", bar: atLeast(graphsMin, true) },
      { what: "cuts", value: cuts, unit: "" },
      { what: "figures that differ from the stacks", value: wrong.length, unit: "", bar: atMost(0, true) },
    ],
  };
}

/** From 100 nodes to one less than all, in equal ratios. */
function cutsOf(length: number): number[] {
  const most = Math.max(leastNodes, length - 1);
  const ratio = (most / leastNodes) ** (1 / (cutsPerGraph - 1));
  const cuts = Array.from({ length: cutsPerGraph }, (_, step) => Math.round(leastNodes * ratio ** step));
  return [...new Set(cuts)];
}

function* allGraphs(): Generator<[name: string, stacks: StackTable]> {
  for (const { file } of recordedProfiles()) yield* readable(file, inflatedRecording(file));
  if (existsSync(corpus))
    for (const file of readdirSync(corpus)) {
      const bytes = readFileSync(new URL(encodeURIComponent(file), corpus));
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) yield* readable(file, inflated(bytes));
    }
  const random = new Random(7);
  const pick = (least: number, most: number) => Math.floor(random.between(least, most));
  for (let made = 0; made < 60; made++) {
    const size = { stacks: pick(200, 6000), depth: pick(5, 120), names: pick(5, 3000) };
    yield [`made ${JSON.stringify(size)}`, syntheticStacks(size)];
  }
}

function inflated(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: defaultLimits.bytes });
  } catch {
    // Some files are damaged, or larger than any upload.
    return null;
  }
}

function* readable(file: string, bytes: Uint8Array | null): Generator<[string, StackTable]> {
  if (bytes === null) return;
  const result = readProfile(bytes, defaultLimits);
  if (!result.ok) return;
  const stacks = sumStacks(result.profile);
  // The check compares every frame of every stack.
  if (stacks.length > 0 && stacks.length <= stacksMax) yield [file, stacks];
}
