import { applicationFlags, frameFunctions, type StackTable } from "@flamekeep/profile";
import { functionRef } from "./finding.ts";
import { anyOf, functions, inFiles, type Match } from "./match.ts";

/** Stacks of a program that starts, and of the profiler, are no advice for one that runs. */
const start = anyOf(
  functions("runtime.{doInit,doInit1}", "jdk/jfr/*"),
  inFiles("<frozen importlib._bootstrap>#_find_and_load"),
  (name) => name.endsWith(".<clinit>"),
);
const waitingForWork = functions("(idle)", ":(idle):0");

/**
 * The stacks of a profile, prepared for many look-ups by function name. All copies of a generic function are
 * one function, and the bodies of its loops over iterators belong to it.
 */
export class StackIndex {
  readonly stacks: StackTable;
  /** The names of the distinct functions. Two in different files may have one name. */
  readonly names: readonly string[];
  /** For each frame, the index of its function. */
  readonly functionOf: Uint32Array;
  /** For each function, 1 if it is code of the application. */
  readonly isApplication: Uint8Array;
  /** For each stack, where in `stacks.frame` the application frame nearest to the leaf is; -1 if it has none. */
  readonly innermost: Int32Array;
  /** Stacks by function: `#stackList[#listStart[f] .. #listStart[f + 1])`. */
  readonly #listStart: Uint32Array;
  readonly #stackList: Uint32Array;
  readonly #files: readonly string[];
  readonly #matches = new Map<Match, Uint8Array>();

  constructor(stacks: StackTable) {
    this.stacks = stacks;
    const { names, functionOf, files } = distinctFunctions(stacks);
    this.names = names;
    this.#files = files;
    this.functionOf = functionOf;
    this.isApplication = applicationFlags(names, files);
    this.innermost = innermostFrames(stacks, functionOf, this.isApplication);
    [this.#listStart, this.#stackList] = stacksByFunction(stacks, functionOf, names.length);
  }

  /** Tells a function apart from others: see `functionRef`. */
  refOf(fn: number): string {
    return functionRef({ name: this.names[fn]!, file: this.#files[fn]! });
  }

  fileOf(fn: number): string {
    return this.#files[fn]!;
  }

  /** The stacks in which a thread of Node waits for work: they cost nothing. */
  get idle(): Uint32Array {
    const flags = this.flagsOf(waitingForWork);
    const { start, frame, length } = this.stacks;
    const isIdle = (stack: number) =>
      start[stack]! < start[stack + 1]! && flags[this.functionOf[frame[start[stack]!]!]!] === 1;
    return Uint32Array.from({ length }, (_, stack) => stack).filter(isIdle);
  }

  /** For each function, 1 if it matches. */
  flagsOf(match: Match): Uint8Array {
    let flags = this.#matches.get(match);
    if (flags === undefined) {
      flags = Uint8Array.from(this.names, (name, fn) => (match(name, this.#files[fn]!) ? 1 : 0));
      this.#matches.set(match, flags);
    }
    return flags;
  }

  /** The stacks with a function that matches, without the stacks of the program's start, in order. */
  stacksWith(match: Match): Uint32Array {
    const marks = new Uint8Array(this.stacks.length);
    let count = this.#mark(marks, this.flagsOf(match), 1);
    count -= this.#mark(marks, this.flagsOf(start), 0);
    const found = new Uint32Array(count);
    for (let stack = 0, filled = 0; filled < count; stack++) if (marks[stack] === 1) found[filled++] = stack;
    return found;
  }

  /** Marks the stacks with one of the functions; returns how many marks changed. */
  #mark(marks: Uint8Array, flags: Uint8Array, mark: 0 | 1): number {
    let changed = 0;
    for (let fn = flags.indexOf(1); fn >= 0; fn = flags.indexOf(1, fn + 1)) {
      for (let at = this.#listStart[fn]!; at < this.#listStart[fn + 1]!; at++) {
        const stack = this.#stackList[at]!;
        if (marks[stack] === mark) continue;
        marks[stack] = mark;
        changed++;
      }
    }
    return changed;
  }
}

function distinctFunctions({ frames }: StackTable) {
  const { name: names, file: files, ofFrame } = frameFunctions(frames);
  const owners = loopOwners(new Map(names.map((name, id) => [name, id])), files);
  return { names, functionOf: ofFrame.map((id) => owners[id]!), files };
}

function innermostFrames(stacks: StackTable, functionOf: Uint32Array, isApplication: Uint8Array): Int32Array {
  return Int32Array.from({ length: stacks.length }, (_, stack) => {
    for (let at = stacks.start[stack]!; at < stacks.start[stack + 1]!; at++) {
      if (isApplication[functionOf[stacks.frame[at]!]!] === 1) return at;
    }
    return -1;
  });
}

/** Each stack is listed once under each of its functions. */
function stacksByFunction(
  stacks: StackTable,
  functionOf: Uint32Array,
  count: number,
): [start: Uint32Array, list: Uint32Array] {
  const starts = new Uint32Array(count + 1);
  eachFunction(stacks, functionOf, count, (fn) => void starts[fn + 1]!++);
  for (let fn = 0; fn < count; fn++) starts[fn + 1]! += starts[fn]!;
  const list = new Uint32Array(starts[count]!);
  const filled = starts.slice();
  eachFunction(stacks, functionOf, count, (fn, stack) => {
    list[filled[fn]!++] = stack;
  });
  return [starts, list];
}

function eachFunction(
  stacks: StackTable,
  functionOf: Uint32Array,
  count: number,
  visit: (fn: number, stack: number) => void,
): void {
  const last = new Int32Array(count).fill(-1);
  for (let stack = 0; stack < stacks.length; stack++) {
    for (let at = stacks.start[stack]!; at < stacks.start[stack + 1]!; at++) {
      const fn = functionOf[stacks.frame[at]!]!;
      if (last[fn] === stack) continue;
      last[fn] = stack;
      visit(fn, stack);
    }
  }
}

/**
 * Functions as the developer knows them. Go compiles the body of a loop over an iterator into a separate function,
 * and names a function literal after the function into which it was inlined:
 *
 *     (*box).parse                                    box.go
 *       (*box).parse.SplitSeq.splitSeq.func1          strings/iter.go   a literal of package strings, inlined
 *         (*box).parse-range1                         box.go            the body of the loop: (*box).parse
 *
 * Names are hostile: each function here looks at a bounded number of prefixes.
 */

const body = "-range";
/** Python up to 3.11 compiles a comprehension into a separate function: `handle.<locals>.<listcomp>` belongs to `handle`. */
const comprehension = /\.<locals>\.<(?:listcomp|dictcomp|setcomp|genexpr)>/;
const prefixesMax = 32;

/**
 * For each function, the index of the one that its loop body belongs to: the longest prefix that is a function of the
 * same file. Functions that are no loop body, or whose function is not in the profile, are their own.
 */
function loopOwners(ids: ReadonlyMap<string, number>, files: readonly string[]): Uint32Array {
  const owners = Uint32Array.from(files, (_, id) => id);
  for (const [name, id] of ids) {
    const range = name.indexOf(body);
    const first = range < 0 ? name.search(comprehension) : range;
    if (first < 0) continue;
    let end = first;
    for (let turn = 0; turn < prefixesMax && end > 0; turn++) {
      const owner = ids.get(name.slice(0, end));
      if (owner !== undefined && files[owner] === files[id]) {
        owners[id] = owner;
        break;
      }
      end = name.lastIndexOf(".", end - 1);
    }
  }
  return owners;
}
