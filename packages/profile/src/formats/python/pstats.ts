import type { ReadLimits } from "#model/limits.ts";
import { type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";
import { Marshal, type Value } from "./marshal.ts";

/**
 * The statistics of Python's cProfile (`dump_stats`), which Python's marshal wrote:
 *
 * ```
 * { (file, line, function): (primitive calls, calls, self seconds, total seconds, { caller: (calls, primitive calls, self s, total s) }) }
 * ```
 *
 * They are no stacks: a function has its self time and calls by direct caller. Each caller becomes a stack of two frames, and what has
 * no caller a stack of one. So self times are exact, and total times are those of direct calls only. Statistics of the module
 * `profile` have calls by caller, but not times.
 */
export function readPstats(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  return pprofOf(limits, (stacks) => {
    const marshal = new Marshal(bytes, limits);
    const frames = new Frames(stacks, marshal);
    let totalNs = 0;
    marshal.dictionary((key) => {
      const fn = frames.of(key);
      marshal.container(5);
      marshal.number();
      const calls = wholeNumber(marshal.number(), marshal);
      const selfNs = nanoseconds(marshal.number(), marshal);
      marshal.number();
      const callers: Caller[] = [];
      marshal.dictionary((caller) => {
        const frame = frames.of(caller);
        const value = marshal.value(0);
        const [count, , own = 0] = Array.isArray(value) ? value : [value];
        callers.push({ frame, calls: wholeNumber(count, marshal), ns: nanoseconds(own, marshal) });
      });
      totalNs += selfNs;
      addFunction(stacks, fn, { calls, selfNs, callers });
    });
    const sampleTypes = [
      { type: "calls", unit: "count" },
      { type: "wall", unit: "nanoseconds" },
    ];
    return { sampleTypes, durationNs: BigInt(totalNs) };
  });
}

/** A dictionary and the tuple of its first key, as Latin-1. The highest bit of a type says that later objects name the object. */
export const pstatsBeginnings: readonly string[] = ["{", "\xfb"].flatMap((dictionary) =>
  [")\x03", "\xa9\x03", "(\x03\0\0\0", "\xa8\x03\0\0\0"].map((tuple) => dictionary + tuple),
);

interface Caller {
  readonly frame: number;
  readonly calls: number;
  ns: number;
}

interface Statistics {
  readonly calls: number;
  readonly selfNs: number;
  readonly callers: readonly Caller[];
}

function addFunction(stacks: PprofStacks, fn: number, { calls, selfNs, callers }: Statistics): void {
  const sumOf = (of: (caller: Caller) => number) => callers.reduce((sum, caller) => sum + of(caller), 0);
  const restCalls = Math.max(0, calls - sumOf((caller) => caller.calls));
  let restNs = selfNs - sumOf((caller) => caller.ns);
  const most = callers.reduce<Caller | undefined>(
    (best, each) => (best && best.ns >= each.ns ? best : each),
    undefined,
  );
  if (most !== undefined && Math.abs(restNs) <= callers.length) {
    // Times by caller are rounded one by one.
    most.ns += restNs;
    restNs = 0;
  }
  // More by callers than there is: then only the sum is certain.
  if (restNs < 0) {
    for (const caller of callers) caller.ns = 0;
    restNs = selfNs;
  }
  for (const { frame, calls: count, ns } of callers) stacks.add([fn, frame], [count, ns]);
  if (restCalls > 0 || restNs > 0) stacks.add([fn], [restCalls, restNs]);
}

class Frames {
  readonly #stacks: PprofStacks;
  readonly #marshal: Marshal;

  constructor(stacks: PprofStacks, marshal: Marshal) {
    this.#stacks = stacks;
    this.#marshal = marshal;
  }

  /** The frame of a function. Functions of C are in the file `~`. */
  of(key: Value): number {
    const [file, line, name] = Array.isArray(key) ? key : [];
    if (typeof file !== "string" || typeof line !== "number" || typeof name !== "string")
      throw this.#marshal.unexpected();
    const { writer } = this.#stacks;
    return this.#stacks.frame(
      writer.text(name),
      writer.text(file === "~" ? "" : file),
      line > 0 ? line | 0 : 0,
    );
  }
}

function wholeNumber(value: Value | undefined, marshal: Marshal): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw marshal.unexpected();
  return value;
}

function nanoseconds(value: Value | undefined, marshal: Marshal): number {
  return wholeNumber(typeof value === "number" ? Math.round(value * 1e9) : undefined, marshal);
}
