import type { HeapProfiler, Profiler, Runtime } from "node:inspector";
import { type Profile, profileOfStacks, type StackTable, type ValueType } from "@flamekeep/profile";

const root = new URL("../../../../../", import.meta.url).href;

/** A call in one of V8's trees. The root, which is no function, is the parent of the outermost calls and has no parent itself. */
interface Call {
  readonly frame: Runtime.CallFrame;
  readonly parent: Call | undefined;
  /** The values of the call itself, without the calls that it makes. */
  readonly values: readonly number[];
}

interface CpuFacts {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly periodUs: number;
}

const cpuTypes = [
  { type: "samples", unit: "count" },
  { type: "cpu", unit: "nanoseconds" },
];

/** The CPU profile of the inspector as pprof. Samples of a thread that waits for events are left out. */
export function cpuProfileOf({ nodes }: Profiler.Profile, facts: CpuFacts): Profile {
  const periodNs = facts.periodUs * 1000;
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const calls = new Map<number, Call>();
  // The inspector lists a node before the nodes that it calls.
  for (const { id, callFrame, hitCount = 0 } of nodes) {
    const parent = calls.get(parents.get(id) ?? -1);
    const count = callFrame.functionName === "(idle)" ? 0 : hitCount;
    calls.set(id, { frame: callFrame, parent, values: [count, count * periodNs] });
  }
  return profileOfStacks(stacksOf([...calls.values()], cpuTypes), {
    timeNs: nanoseconds(facts.startedAtMs),
    durationNs: nanoseconds(facts.durationMs),
    periodType: { type: "cpu", unit: "nanoseconds" },
    period: BigInt(periodNs),
  });
}

/** The sampled allocations that are still in use, as pprof. */
export function heapProfileOf(head: HeapProfiler.SamplingHeapProfileNode, atMs: number): Profile {
  const calls: Call[] = [];
  const waiting = [{ node: head, parent: undefined as Call | undefined }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { callFrame, selfSize, children } = next.node;
    const call = { frame: callFrame, parent: next.parent, values: [selfSize] };
    calls.push(call);
    for (const node of children) waiting.push({ node, parent: call });
  }
  const stacks = stacksOf(calls, [{ type: "inuse_space", unit: "bytes" }]);
  return profileOfStacks(stacks, { timeNs: nanoseconds(atMs) });
}

/** The stacks of the calls that have values. */
function stacksOf(calls: readonly Call[], sampleTypes: readonly ValueType[]): StackTable {
  const measured = calls.filter(({ values }) => values.some((value) => value > 0));
  const frames = new Map<string, { readonly id: number; readonly frame: Runtime.CallFrame }>();
  const start = [0];
  const stacks: number[] = [];
  for (const { frame, parent } of measured) {
    for (
      let at = { frame, parent } as Pick<Call, "frame" | "parent">;
      at.parent !== undefined;
      at = at.parent
    ) {
      const { functionName, scriptId, lineNumber, columnNumber } = at.frame;
      const key = `${functionName} ${scriptId} ${lineNumber} ${columnNumber}`;
      const known = frames.get(key) ?? { id: frames.size, frame: at.frame };
      frames.set(key, known);
      stacks.push(known.id);
    }
    start.push(stacks.length);
  }
  const distinct = [...frames.values()].map(({ frame }) => frame);
  // V8 counts lines from 0, and says -1 where it knows none.
  const lines = Int32Array.from(distinct, ({ lineNumber }) => lineNumber + 1);
  return {
    sampleTypes,
    frames: {
      length: distinct.length,
      functionName: distinct.map(({ functionName }) => functionName || "(anonymous)"),
      file: distinct.map(({ url }) => productPath(url)),
      line: lines,
      startLine: lines,
    },
    length: measured.length,
    start: Uint32Array.from(start),
    frame: Uint32Array.from(stacks),
    values: sampleTypes.map((_, type) => Float64Array.from(measured, ({ values }) => values[type]!)),
  };
}

export function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6));
}

/** The file of a function without the folders of this machine: below the product's folder, else below `node_modules`, else its name. */
export function productPath(url: string, productFolder = root): string {
  if (url.startsWith(productFolder)) return url.slice(productFolder.length);
  if (!/^(file:|\/|[A-Za-z]:[\\/])/.test(url)) return url;
  const path = url.replaceAll("\\", "/");
  const at = path.lastIndexOf("/node_modules/");
  return path.slice((at === -1 ? path.lastIndexOf("/") : at) + 1);
}
