import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { encodeText } from "#wire/wire-reader.ts";
import { StackLines } from "#write/stack-lines.ts";
import { CallTree } from "./call-tree.ts";
import { FirefoxFrames } from "./firefox-frames.ts";
import { type Column, column, lengthOf } from "./firefox-tables.ts";
import {
  indexIn,
  isObject,
  type JsonObject,
  listIn,
  listOr,
  numberIn,
  objectIn,
  objectOr,
  parseJsonText,
  positiveIn,
  textOr,
} from "./json-text.ts";

/**
 * Profiles of the Firefox Profiler: as Firefox itself writes them (Gecko's form), as https://profiler.firefox.com saves them, also of samply
 * and other importers (the processed form), and recordings of Firefox's old developer tools, which have the first one in them.
 * (firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md.)
 */
export function isFirefox(json: JsonObject): boolean {
  return isProfile(json) || isProfile(json.profile);
}

function isProfile(json: unknown): boolean {
  return isObject(json) && isObject(json.meta) && Array.isArray(json.threads);
}

/** The measure of a thread's samples. */
type Kind = "cpu" | "wall" | "tracing" | "bytes";

interface Thread {
  readonly json: JsonObject;
  /** The profile that the thread is in: its process has one in Gecko's form. */
  readonly of: JsonObject;
  readonly kind: Kind;
}

const sampleCount = { type: "samples", unit: "count" };
const typesOf: Readonly<Record<Kind, ValueType>> = {
  cpu: { type: "cpu", unit: "nanoseconds" },
  wall: { type: "wall", unit: "nanoseconds" },
  tracing: { type: "wall", unit: "nanoseconds" },
  bytes: { type: "alloc_space", unit: "bytes" },
};

export function readFirefox(json: JsonObject, limits: ReadLimits): Profile {
  const root = isProfile(json) ? json : (json.profile as JsonObject);
  const threads = threadsOf(root);
  if (threads.length === 0)
    throw new Refusal("empty", "The Firefox profile has no thread with samples.", "threads", 0);
  const sampleTypes = sampleTypesOf(threads);
  const stacks = new StackLines(sampleTypes.length, limits);
  const processes = new Set(threads.map(({ json: { pid } }) => pid));
  const trees = new Map<JsonObject, CallTree>();
  const span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  for (const thread of threads) {
    const tables = isObject(objectOr(thread.of.shared).stackTable) ? objectOr(thread.of.shared) : thread.json;
    const tree = trees.get(tables) ?? treeOf({ thread, tables, stacks, columns: sampleTypes.length, limits });
    if (tables !== thread.json) trees.set(tables, tree);
    addSamples(thread, tree, sampleTypes);
    addSpan(objectOr(thread.json.samples), span);
    const { name, processName, processType, pid } = thread.json;
    const text = (of: string) => of.slice(0, limits.nameBytes);
    const labels = {
      ...(threads.length > 1 && { thread: text(textOr(name, "thread")) }),
      ...(processes.size > 1 && {
        process: text(`${textOr(processName) || textOr(processType)} ${pid}`.trim()),
      }),
    };
    tree.write(labels, new Array<number>(sampleTypes.length).fill(1));
  }
  return stacks.profile(sampleTypes, factsOf(objectOr(root.meta), span, sampleTypes));
}

/** The profiles of other processes are within the first one; Firefox 48 and earlier wrote them as texts among its threads. */
function threadsOf(root: JsonObject): Thread[] {
  const found: Thread[] = [];
  const profiles = [root];
  for (const of of profiles) {
    for (const thread of listIn(of.threads, "threads")) {
      if (typeof thread === "string") {
        profiles.push(objectIn(parseJsonText(encodeText(thread)), "threads"));
        continue;
      }
      const json = objectIn(thread, "threads");
      const samples = objectOr(json.samples);
      if (lengthOf(samples) > 0) found.push({ json, of, kind: kindOf(samples, objectOr(of.meta)) });
    }
    for (const process of listOr(of.processes)) profiles.push(objectIn(process, "processes"));
  }
  return found;
}

/** Units in which Firefox gives the CPU time of a thread, in nanoseconds. On Windows it counts cycles, which are no time. */
const nanosecondsOf: ReadonlyMap<unknown, number> = new Map([
  ["ns", 1],
  ["µs", 1e3],
]);

function cpuUnit(meta: JsonObject): number | undefined {
  return nanosecondsOf.get(objectOr(meta.sampleUnits).threadCPUDelta);
}

function kindOf(samples: JsonObject, meta: JsonObject): Kind {
  if (samples.weightType === "bytes") return "bytes";
  if (samples.weightType === "tracing-ms") return "tracing";
  const delta = column(samples, "threadCPUDelta");
  const length = lengthOf(samples);
  if (cpuUnit(meta) === undefined) return "wall";
  for (let at = 0; at < length; at++) if (typeof delta(at) === "number") return "cpu";
  return "wall";
}

/** Where threads have CPU time, those without are taken to have run between their samples. */
function sampleTypesOf(threads: readonly Thread[]): ValueType[] {
  const kinds = new Set(threads.map(({ kind }) => kind));
  const isSampled = kinds.has("cpu") || kinds.has("wall");
  return [
    ...(isSampled ? [sampleCount, typesOf[kinds.has("cpu") ? "cpu" : "wall"]] : []),
    ...(kinds.has("tracing") && (!isSampled || kinds.has("cpu")) ? [typesOf.tracing] : []),
    ...(kinds.has("bytes") ? [typesOf.bytes] : []),
  ];
}

interface TreeScope {
  readonly thread: Thread;
  /** The tables of the thread, or those that all threads share. */
  readonly tables: JsonObject;
  readonly stacks: StackLines;
  readonly columns: number;
  readonly limits: ReadLimits;
}

function treeOf({ thread, tables, stacks, columns, limits }: TreeScope): CallTree {
  const tree = new CallTree(stacks, columns, limits);
  const frames = new FirefoxFrames(tables, thread.of, stacks, limits);
  const table = objectIn(tables.stackTable, "stackTable");
  const [frame, prefix, offset] = ["frame", "prefix", "prefixOffset"].map((name) => column(table, name)) as [
    Column,
    Column,
    Column,
  ];
  const length = lengthOf(table);
  for (let at = 0; at < length; at++) {
    const back = offset(at);
    const above = typeof back === "number" && back > 0 ? at - back : prefix(at);
    const parent = above === null || above === undefined ? -1 : indexIn(above, length, "stackTable.prefix");
    tree.call(frames.at(frame(at)), parent);
  }
  return tree;
}

interface Span {
  from: number;
  to: number;
}

function addSamples(thread: Thread, tree: CallTree, sampleTypes: readonly ValueType[]): void {
  const { json, kind } = thread;
  const samples = objectOr(json.samples);
  const [stack, weight] = [column(samples, "stack"), column(samples, "weight")];
  const isTimed = kind === "cpu" || kind === "wall";
  const target = isTimed ? 1 : sampleTypes.findIndex(({ type }) => type === typesOf[kind].type);
  const measure = valuesOf(thread);
  const length = lengthOf(samples);
  for (let at = 0; at < length; at++) {
    const call = stack(at);
    // A thread that was not sampled.
    if (call === null || call === undefined) continue;
    const count = positiveIn(weight(at) ?? 1, "samples.weight");
    const index = indexIn(call, tree.length, "samples.stack");
    if (isTimed) tree.add(index, 0, count);
    tree.add(index, target, measure(at, count));
  }
}

/** The value of a sample with a weight. */
function valuesOf({ json, of, kind }: Thread): (at: number, weight: number) => number {
  const meta = objectOr(of.meta);
  if (kind === "bytes") return (_, weight) => weight;
  if (kind === "tracing") return (_, weight) => weight * 1e6;
  const intervalNs = positiveIn(meta.interval ?? 0, "meta.interval") * 1e6;
  if (kind === "wall") return (_, weight) => weight * intervalNs;
  const delta = column(objectOr(json.samples), "threadCPUDelta");
  const unit = cpuUnit(meta) ?? 1;
  // The first one has no sample before it.
  return (at) => (at === 0 ? 0 : positiveIn(delta(at) ?? 0, "samples.threadCPUDelta") * unit);
}

function addSpan(samples: JsonObject, span: Span): void {
  const length = lengthOf(samples);
  const [time, delta] = [column(samples, "time"), column(samples, "timeDeltas")];
  const isTimed = time(0) !== undefined;
  let at = 0;
  for (let row = 0; row < length; row++) {
    at = isTimed ? numberIn(time(row), "samples.time") : at + numberIn(delta(row) ?? 0, "samples.timeDeltas");
    span.from = Math.min(span.from, at);
    span.to = Math.max(span.to, at);
  }
}

/** The longest time that 64 bits hold, in milliseconds. */
const msMax = 2 ** 63 / 1e6;

function factsOf({ startTime, interval }: JsonObject, { from, to }: Span, [, time]: readonly ValueType[]) {
  const toNs = (ms: number) => (ms > 0 && ms < msMax ? BigInt(Math.round(ms * 1e3)) * 1000n : 0n);
  const isKnown = typeof startTime === "number" && startTime > 0 && from < to;
  const step = toNs(Number(interval));
  return {
    timeNs: isKnown ? toNs(startTime + from) : 0n,
    durationNs: toNs(to - from) || 1n,
    ...(time !== undefined && step > 0n && { periodType: time, period: step }),
  };
}
