import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { StackLines } from "#write/stack-lines.ts";
import {
  invalid,
  isObject,
  type JsonObject,
  lineOr,
  listIn,
  listOr,
  numberIn,
  objectIn,
  positiveIn,
  wholeNanoseconds,
} from "./json-text.ts";
import { V8Calls, v8CpuFacts, v8CpuTypes } from "./v8-calls.ts";

/**
 * `.cpuprofile` of V8: of Node.js (`--cpu-prof`), Deno, Chrome's developer tools and the inspector. The time before each sample counts for
 * the function that the sample found. (Chrome DevTools Protocol, Profiler.Profile.)
 */
export function isCpuProfile(json: JsonObject): boolean {
  return Array.isArray(json.nodes) || (isObject(json.head) && "functionName" in json.head);
}

export function readCpuProfile(json: JsonObject, limits: ReadLimits): Profile {
  const stacks = new StackLines(v8CpuTypes.length, limits);
  const calls = new V8Calls(stacks, limits);
  const nodes = json.nodes === undefined ? nodesBelow(json.head) : listIn(json.nodes, "nodes");
  for (const node of nodes) calls.addNode(objectIn(node, "nodes").id, node);
  for (const node of nodes) addParents(calls, node as JsonObject);
  const { startTime, endTime, timestamps } = json;
  const ids = listOr(json.samples);
  // Node.js 10 and earlier write the time of each sample in place of the time between two.
  const times = json.timeDeltas ?? timestamps;
  if (ids.length > 0 && times !== undefined) {
    const deltas = json.timeDeltas === undefined ? between(listIn(times, "timestamps")) : times;
    addSamples(calls, { nodes, ids, deltas: listIn(deltas, "timeDeltas") });
  } else addHits(calls, nodes, { startTime, endTime });
  calls.write();
  // The times of that form are seconds, else microseconds, both since any moment.
  const perUnit = timestamps === undefined ? 1e3 : 1e9;
  return stacks.profile(v8CpuTypes, { ...v8CpuFacts, durationNs: spanNs(startTime, endTime, perUnit) });
}

/** Nodes have lists of their children; other writers name the parent in each node. */
function addParents(calls: V8Calls, { id, parent, children }: JsonObject): void {
  if (parent !== undefined) calls.setParent(id, parent);
  for (const child of listOr(children)) calls.setParent(isObject(child) ? child.id : child, id);
}

/** The tree of Node.js 10 and earlier as a list. */
function nodesBelow(head: unknown): readonly unknown[] {
  const nodes: unknown[] = [head];
  for (const node of nodes)
    for (const child of listOr(objectIn(node, "head").children)) nodes.push(objectIn(child, "children"));
  return nodes;
}

function between(timestamps: readonly unknown[]): number[] {
  return timestamps.map((time, at) =>
    at === 0 ? 0 : numberIn(time, "timestamps") - numberIn(timestamps[at - 1], "timestamps"),
  );
}

interface Sampled {
  readonly nodes: readonly unknown[];
  readonly ids: readonly unknown[];
  readonly deltas: readonly unknown[];
}

interface Ticks {
  readonly line: number;
  left: number;
}

/** A node counts how many of its samples found each of its lines: the first ones get the first line, and so on. */
function addSamples(calls: V8Calls, { nodes, ids, deltas }: Sampled): void {
  /** Most nodes have one line. */
  const lines = new Map<unknown, number | Ticks[]>();
  for (const node of nodes) {
    const { id, positionTicks } = node as JsonObject;
    const ticks = listOr(positionTicks).map((tick): Ticks => {
      const { line, ticks: count } = objectIn(tick, "positionTicks");
      return { line: lineOr(line), left: positiveIn(count, "positionTicks.ticks") };
    });
    if (ticks.length > 0) lines.set(id, ticks.length === 1 ? ticks[0]!.line : ticks.reverse());
  }
  const lineOf = (at: number) => {
    const line = lines.get(ids[at]) ?? 0;
    return typeof line === "number" ? line : nextLine(line);
  };
  calls.addSamples({ ids, deltas, lineOf });
}

function nextLine(ticks: Ticks[]): number {
  while (ticks.at(-1)?.left === 0) ticks.pop();
  const next = ticks.at(-1);
  if (next === undefined) return 0;
  next.left = Math.max(0, next.left - 1);
  return next.line;
}

/** Without samples, each hit of a node is an equal share of the time. */
function addHits(
  calls: V8Calls,
  nodes: readonly unknown[],
  { startTime, endTime }: { readonly startTime: unknown; readonly endTime: unknown },
): void {
  const hits = nodes.map((node) => positiveIn((node as JsonObject).hitCount ?? 0, "hitCount"));
  const all = hits.reduce((sum, count) => sum + count, 0);
  if (all === 0) return;
  const micros = numberIn(endTime ?? 0, "endTime") - numberIn(startTime ?? 0, "startTime");
  if (!(micros > 0)) throw invalid("timeDeltas", "it has neither times of samples nor a duration");
  for (const [at, node] of nodes.entries())
    calls.add((node as JsonObject).id, hits[at]!, (hits[at]! / all) * micros * 1000);
}

function spanNs(start: unknown, end: unknown, perUnit: number): bigint {
  return wholeNanoseconds((Number(end ?? 0) - Number(start ?? 0)) * perUnit) || 1n;
}
