import { TextBytes } from "#memory/text-bytes.ts";
import type { ReadLimits } from "#model/limits.ts";
import { type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";
import { isText, Marshal, type MarshalText, type Value } from "./marshal.ts";

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
    const frames = new Frames(stacks, marshal, new TextBytes(bytes));
    let totalNs = 0;
    marshal.dictionary(() => {
      const fn = frames.next();
      marshal.container(5);
      marshal.number();
      const calls = wholeNumber(marshal.number(), marshal);
      const selfNs = nanoseconds(marshal.number(), marshal);
      marshal.number();
      const callers: Caller[] = [];
      marshal.dictionary(() => {
        const frame = frames.next();
        const [count, , own = 0] = marshal.items();
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

const tilde = 0x7e;

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
  readonly #bytes: TextBytes;

  constructor(stacks: PprofStacks, marshal: Marshal, bytes: TextBytes) {
    this.#stacks = stacks;
    this.#marshal = marshal;
    this.#bytes = bytes;
  }

  /** The frame of the function that is read next. Functions of C are in the file `~`. */
  next(): number {
    const [file, line, name] = this.#marshal.items();
    if (!isText(file) || typeof line !== "number" || !isText(name)) throw this.#marshal.unexpected();
    const isOfC = file.to - file.from === 1 && this.#bytes.bytes[file.from] === tilde;
    return this.#stacks.frame(this.#indexOf(name), isOfC ? 0 : this.#indexOf(file), line > 0 ? line | 0 : 0);
  }

  #indexOf(text: MarshalText): number {
    text.index ??= this.#stacks.writer.copied(this.#bytes, text.from, text.to);
    return text.index;
  }
}

function wholeNumber(value: Value | undefined, marshal: Marshal): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw marshal.unexpected();
  return value;
}

function nanoseconds(value: Value | undefined, marshal: Marshal): number {
  return wholeNumber(typeof value === "number" ? Math.round(value * 1e9) : undefined, marshal);
}
