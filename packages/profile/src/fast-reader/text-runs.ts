import { GrowableUint32 } from "#memory/growable.ts";
import type { TextBytes } from "#memory/text-bytes.ts";
import type { Bytes } from "#model/units.ts";
import { type Assembly, newAssembly } from "./instance.ts";

/** The runs that are read: frames of collapsed stacks, lines with a first byte, or lines that begin with a tab, and calls up to their arguments. */
const kinds = { frames: 0, indented: 1, comments: 2, places: 3 } as const;

interface LineKind {
  readonly kind: keyof typeof kinds;
  /** Runs that a line has at most. */
  readonly runsMax?: number;
  /** Where the first line begins. */
  readonly start?: number;
}

/** The line [start, end), and where its `meanings` are: none if it is not of the kind, or uncommon. */
type VisitLine = (start: number, end: number, from: number, to: number) => void;

/** Longer lines have no runs. */
const partBytes: Bytes = 128 * 1024;
const newline = 0x0a;
const half = () => BigInt(Math.floor(Math.random() * 2 ** 32));
/** Hashes are not known to those who send texts. */
const key = (half() << 32n) | half();

/** Kept, as the different runs of a text take little memory. */
let assembly: Assembly | undefined;

/**
 * The lines of a text, most of whose runs of bytes come again: what a run means is asked once. Runs are found by the WebAssembly module,
 * which nothing else may use meanwhile.
 */
export class TextRuns {
  /** The meanings of the runs, for the time of a visit. */
  meanings = new Uint32Array(0);
  readonly #assembly: Assembly;
  readonly #text: TextBytes;
  readonly #meaningOf: (from: number, to: number) => number;
  /** The meaning of each run. */
  readonly #known = new GrowableUint32(1024);
  /** Start and end of the runs that are new in the part, and the number of the first. */
  #added = new Uint32Array(0);
  #firstAdded = 0;

  constructor(text: TextBytes, meaningOf: (from: number, to: number) => number) {
    assembly ??= newAssembly();
    this.#assembly = assembly;
    this.#text = text;
    this.#meaningOf = meaningOf;
  }

  eachLine({ kind, runsMax = 1, start = 0 }: LineKind, visit: VisitLine): void {
    const { bytes } = this.#text;
    const { memory, lines, linesEnd, added, startText, readLines } = this.#assembly;
    const part = startText(partBytes, key);
    for (let from = start; from < bytes.length; ) {
      const last = bytes.length - from <= partBytes ? bytes.length - 1 : lastLineEnd(bytes, from);
      if (last < from) {
        const end = this.#text.find(newline, from + partBytes, bytes.length);
        visit(from, this.#text.lineEnd(from, end), 0, 0);
        from = end + 1;
        continue;
      }
      new Uint8Array(memory.buffer, part).set(bytes.subarray(from, last + 1));
      readLines(last + 1 - from, from, kinds[kind], runsMax);
      this.#firstAdded = this.#known.length;
      this.meanings = new Uint32Array(memory.buffer, lines.value, (linesEnd.value - lines.value) / 4);
      this.#added = new Uint32Array(memory.buffer, added.value);
      this.#visitLines(visit);
      from = last + 1;
    }
  }

  /** Each line has its start, end and number of runs before the runs. */
  #visitLines(visit: VisitLine): void {
    const words = this.meanings;
    for (let at = 0; at < words.length; ) {
      const from = at + 3;
      const to = from + words[at + 2];
      const { array, length } = this.#known;
      for (let i = from; i < to; i++) words[i] = words[i] < length ? array[words[i]] : this.#learn(words[i]);
      visit(words[at], words[at + 1], from, to);
      at = to;
    }
  }

  #learn(run: number): number {
    for (let next = this.#known.length; next <= run; next++) {
      const at = 2 * (next - this.#firstAdded);
      this.#known.push(this.#meaningOf(this.#added[at], this.#added[at + 1]));
    }
    return this.#known.array[run];
  }
}

/** Where the last line of a part ends; before the part if there is none. */
function lastLineEnd(bytes: Uint8Array, from: number): number {
  let at = from + partBytes - 1;
  while (at >= from && bytes[at] !== newline) at--;
  return at;
}
