import { randomUUID } from "node:crypto";
import type { StackIds, StackTable } from "@flamekeep/profile";
import { SentDefinitions } from "@flamekeep/server/ingest/rows/definitions.ts";
import { cpuPerCall } from "./cpu.ts";
import { Random } from "./random.ts";
import { atMost, type BenchResult, type Measurement } from "./result.ts";

const stacksOfProfile = 4000;
const frames = 2000;
const depth = 25;
const passes = 5;
const millions = [0.5, 1, 2, 5, 20];
const turns = 20;
const timedUs = 100_000;
const writtenOverNewMax = 1.2;

const partition = { orgId: randomUUID(), day: "2026-01-02" };
const profile = stackTable();
const frameIds = Uint32Array.from({ length: 2 * frames }, (_, i) => wordOf(-1 - i));

/** How often a thread that decodes uploads writes the same stacks, and what it takes to find that it has written them. */
export async function benchDefinitions(): Promise<BenchResult> {
  return {
    name: "definitions",
    input: `profiles of ${stacksOfProfile} stacks of ${depth} frames, through all stacks ${passes} times in the same order, one thread`,
    measurements: [
      nsPerKnownStack(stacksOfProfile),
      nsPerKnownStack(400_000),
      ...millions.map((count) => writtenOverNew(count * 1e6)),
    ],
  };
}

function writtenOverNew(stacks: number): Measurement {
  const sent = new SentDefinitions();
  const ids = idsOfProfile();
  const bytes: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    let ofPass = 0;
    for (let first = 0; first < stacks; first += stacksOfProfile) ofPass += bytesOf(sent, fill(ids, first));
    bytes.push(ofPass);
  }
  const shares = bytes.map((ofPass) => (ofPass / bytes[0]!).toFixed(3)).join(", ");
  return {
    what: `${stacks / 1e6} M stacks: bytes written over those of new ones (${shares})`,
    value: bytes.reduce((sum, ofPass) => sum + ofPass) / bytes[0]!,
    unit: "x",
    bar: atMost(writtenOverNewMax),
  };
}

function nsPerKnownStack(stacks: number): Measurement {
  const sent = new SentDefinitions();
  const profiles = Array.from({ length: stacks / stacksOfProfile }, (_, i) =>
    fill(idsOfProfile(), i * stacksOfProfile),
  );
  const look = () => profiles.reduce((sum, ids) => sum + bytesOf(sent, ids), 0);
  look();
  cpuPerCall(look, timedUs);
  const value = (1000 * Math.min(...Array.from({ length: turns }, () => cpuPerCall(look, timedUs)))) / stacks;
  return { what: `CPU to find a known stack of ${stacks}, least of ${turns} turns`, value, unit: "ns" };
}

function bytesOf(sent: SentDefinitions, ids: StackIds): number {
  const outcome = sent.duringRequest(() => ({ ok: true, value: sent.rowsOf(partition, profile, ids) }));
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return Object.values(outcome.value).reduce((sum, { length }) => sum + length, 0);
}

function idsOfProfile(): StackIds {
  return { stackIds: new Uint32Array(2 * stacksOfProfile), frameIds };
}

function fill(ids: StackIds, first: number): StackIds {
  for (let i = 0; i < ids.stackIds.length; i++) ids.stackIds[i] = wordOf(2 * first + i);
  return ids;
}

/** Different for each number, and as evenly distributed as a word of a hash. */
function wordOf(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function stackTable(): StackTable {
  const random = new Random(1);
  const texts = (prefix: string) => Array.from({ length: frames }, (_, i) => `${prefix}${i}`);
  return {
    sampleTypes: [{ type: "samples", unit: "count" }],
    frames: {
      length: frames,
      functionName: texts("example.com/shop/orders.(*Store).Function"),
      file: texts("/src/example.com/shop/orders/file.go"),
      line: new Int32Array(frames),
      startLine: new Int32Array(frames),
    },
    length: stacksOfProfile,
    start: Uint32Array.from({ length: stacksOfProfile + 1 }, (_, i) => i * depth),
    frame: Uint32Array.from({ length: stacksOfProfile * depth }, () => Math.floor(random.between(0, frames))),
    values: [new Float64Array(stacksOfProfile)],
  };
}
