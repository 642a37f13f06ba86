import type { ValueType } from "#model/stack-table.ts";
import type { PprofFacts } from "#write/pprof-stacks.ts";

/** The measure of a text profile, and the form of its lines. */
export interface TextKind {
  readonly facts: PprofFacts;
  /** Before the first line that may be a stack. */
  readonly headerLines: number;
  /** Whether values come before the `@` of their stack, or behind the stack, or a stack is a thread. */
  readonly layout: "values-first" | "stack-first" | "threads";
  readonly isJava: boolean;
  /** The values of the text before the stack; undefined where it has none. */
  readonly values: (text: string) => StackValues | undefined;
}

export interface StackValues {
  readonly values: readonly bigint[];
  /** Mean size of a block. */
  readonly blockSize?: bigint;
}

type Kind = Omit<TextKind, "headerLines" | "layout" | "isJava"> & Partial<TextKind>;

const count = (type: string): ValueType => ({ type, unit: "count" });
const bytes = (type: string): ValueType => ({ type, unit: "bytes" });

/** Undefined for a text of another kind. */
export function kindOfText(text: string): TextKind | undefined {
  const first = lineAt(text, 0);
  const kind =
    heapOf(first) ??
    jemallocOf(text, first) ??
    attributesOf(text, first) ??
    threadsOf(first) ??
    countsOf(first);
  return kind && { headerLines: 1, layout: "values-first", isJava: false, ...kind };
}

function lineAt(text: string, from: number): string {
  const end = text.indexOf("\n", from);
  return text.slice(from, end < 0 ? undefined : end);
}

function heapOf(first: string): Kind | undefined {
  const header =
    /^heap profile: {0,20}(\d+): {0,20}(\d+) {0,20}\[ {0,20}(\d+): {0,20}(\d+) {0,20}\] {0,20}@ {0,20}(heap[_a-z0-9]*|growthz?|fragmentationz?)(?:\/(\d{1,18}))?/.exec(
      first,
    );
  if (header === null) return undefined;
  const [, objects, size, allocated, allocatedSize, name, rate = "0"] = header;
  const isSampled = ["heap", "heap_v2", "heapz_v2"].includes(name!);
  if (name!.startsWith("heap") && !isSampled && name !== "heapprofile") return undefined;
  // Go writes twice its rate.
  const period = !isSampled ? 1n : name === "heap" ? BigInt(rate) / 2n : BigInt(rate);
  const differs = (all: string, inUse: string) => all !== inUse && all !== "0";
  const hasAll =
    name!.startsWith("heap") && (differs(allocated!, objects!) || differs(allocatedSize!, size!));
  return heap({ period, isSampled, hasAll });
}

interface Heap {
  readonly period: bigint;
  readonly isSampled: boolean;
  /** Whether all allocations are there, or only those in use. */
  readonly hasAll: boolean;
}

function heap({ period, isSampled, hasAll }: Heap): Kind {
  const inUse = hasAll ? [count("inuse_objects"), bytes("inuse_space")] : [count("objects"), bytes("space")];
  const rate = isSampled ? Number(period) : 0;
  return {
    facts: {
      sampleTypes: hasAll ? [count("alloc_objects"), bytes("alloc_space"), ...inUse] : inUse,
      periodType: bytes("space"),
      period,
    },
    values: (text) => {
      const found =
        /^(-?\d{1,19}): {0,20}(-?\d{1,19}) {0,20}\[ {0,20}(\d{1,19}): {0,20}(\d{1,19}) {0,20}\]$/.exec(text);
      if (found === null) return undefined;
      const [objects, size, allocated, allocatedSize] = found.slice(1).map(BigInt) as [
        bigint,
        bigint,
        bigint,
        bigint,
      ];
      if ((objects === 0n && size !== 0n) || (hasAll && allocated === 0n && allocatedSize !== 0n))
        return undefined;
      const all = hasAll ? scaled(allocated, allocatedSize, rate) : [];
      const blockSize =
        objects !== 0n ? size / objects : hasAll && allocated !== 0n ? allocatedSize / allocated : 0n;
      return { values: [...all, ...scaled(objects, size, rate)], blockSize };
    },
  };
}

/** A block is sampled with a probability that grows with its size: `scaleHeapSample` of google/pprof. */
function scaled(objects: bigint, size: bigint, rate: number): [bigint, bigint] {
  if (objects === 0n || size === 0n) return rate > 0 ? [0n, 0n] : [objects, size];
  if (rate <= 1) return [objects, size];
  const scale = 1 / (1 - Math.exp(-Number(size) / Number(objects) / rate));
  return [truncated(Number(objects) * scale), truncated(Number(size) * scale)];
}

function truncated(value: number): bigint {
  // Any number beyond 64 bits is refused by the caller.
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 1n << 64n;
}

/** `heap_v2/524288`, and a line of all threads before the first stack. */
function jemallocOf(text: string, first: string): Kind | undefined {
  const rate = /^heap_v2\/(\d{1,18})\s*$/.exec(first)?.[1];
  if (rate === undefined) return undefined;
  const total = /\n[ \t]{0,10}t\*: \d+: \d+ \[(\d+): (\d+)\]/.exec(text.slice(0, 1000));
  const hasAll = total !== null && (total[1] !== "0" || total[2] !== "0");
  const kind = heap({ period: BigInt(rate), isSampled: true, hasAll });
  return {
    ...kind,
    layout: "stack-first",
    facts: { ...kind.facts, defaultSampleType: hasAll ? "inuse_space" : "space" },
  };
}

function threadsOf(first: string): Kind | undefined {
  if (!/^--- (threadz \d+ ---|Thread [0-9a-f]+ \(name: )/.test(first)) return undefined;
  const thread = count("thread");
  const headerLines = first.startsWith("--- threadz") ? {} : { headerLines: 0 };
  return {
    ...headerLines,
    layout: "threads",
    facts: { sampleTypes: [thread], periodType: thread, period: 1n },
    values: () => undefined,
  };
}

function countsOf(first: string): Kind | undefined {
  const name = /^(\S{1,200}) profile: total \d+\s*$/.exec(first)?.[1];
  if (name === undefined) return undefined;
  return {
    facts: { sampleTypes: [count(name)], periodType: count(name), period: 1n },
    values: (text) => (/^\d{1,19}$/.test(text) ? { values: [BigInt(text)] } : undefined),
  };
}

/** `--- contentionz 1 ---`, `--- heapz 1 ---`: lines of `name = value` tell how values are read. */
function attributesOf(text: string, first: string): Kind | undefined {
  const what = /^--- ?(contentionz|mutex|contention|heapz)\b/.exec(first)?.[1];
  if (what === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = first.length + 1;
  let headerLines = 1;
  for (let line = lineAt(text, end); end < text.length && attributes.size < 20; line = lineAt(text, end)) {
    const equals = line.indexOf("=");
    if (line.trim() !== "" && (equals < 0 || line.includes("@"))) break;
    if (equals >= 0) attributes.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim());
    end += line.length + 1;
    headerLines++;
  }
  const isJava = attributes.get("format") === "java";
  if (what === "heapz" && !isJava) return undefined;
  const resolution = attributes.get("resolution") ?? "";
  const number = (name: string) => {
    const value = attributes.get(name) ?? "";
    return /^\d{1,18}$/.test(value) ? BigInt(value) : undefined;
  };
  const kind =
    what === "heapz"
      ? javaHeap(resolution)
      : contention({ number, resolution: isJava ? resolution : undefined });
  return { ...kind, headerLines, isJava };
}

function javaHeap(unit: string): Kind {
  const rate = 524_288;
  return {
    facts: {
      sampleTypes: [count("inuse_objects"), { type: "inuse_space", unit }],
      periodType: { type: "", unit: "" },
      period: 0n,
    },
    values: (text) => {
      const [, size, objects] = /^(\d{1,19}) {1,200}(\d{1,19})$/.exec(text) ?? [];
      if (size === undefined || objects === undefined || BigInt(objects) === 0n) return undefined;
      return {
        values: scaled(BigInt(objects), BigInt(size), rate),
        blockSize: BigInt(size) / BigInt(objects),
      };
    },
  };
}

interface Contention {
  readonly number: (name: string) => bigint | undefined;
  /** Of Java. */
  readonly resolution: string | undefined;
}

function contention({ number, resolution }: Contention): Kind {
  const period = number("sampling period") ?? (resolution === undefined ? 1n : 0n);
  const cyclesPerNs = Number(number("cycles/second") ?? 0n) / 1e9;
  const factor = period === 0n ? 1n : period;
  return {
    facts: {
      sampleTypes: [count("contentions"), { type: "delay", unit: resolution ?? "nanoseconds" }],
      periodType: count("contentions"),
      period,
      durationNs: (number("ms since reset") ?? 0n) * 1_000_000n,
    },
    values: (text) => {
      const [, delay, contentions] = /^(\d{1,19}) {1,200}(\d{1,19})$/.exec(text) ?? [];
      if (delay === undefined || contentions === undefined) return undefined;
      const isCycles = resolution === undefined && cyclesPerNs > 0;
      const total = isCycles
        ? truncated((Number(delay) * Number(factor)) / cyclesPerNs)
        : BigInt(delay) * factor;
      return { values: [BigInt(contentions) * factor, total] };
    },
  };
}
