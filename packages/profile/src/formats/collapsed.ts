import { ByteRuns } from "#memory/byte-runs.ts";
import { GrowableUint32 } from "#memory/growable.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";

/** UTF-8, as Latin-1. */
const byteOrderMark = "\u00ef\u00bb\u00bf";
const [tab, newline, space, hash, closing, semicolon] = [0x09, 0x0a, 0x20, 0x23, 0x29, 0x3b] as const;

/** py-spy and others add the place: `handle (app/views.py:12)`. */
const place = /^(.+) \(([^()]+):(\d{1,9})\)$/;

/** A value of any kind, also one that is refused. */
const numberAtEnd = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The first lines of a text; the last one may be cut. A value that is not accepted is refused with its line, not as a text without stacks. */
export function areCollapsed(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const [first = ""] = lines;
  // The only line may be longer than the head.
  if (lines.length < 2 && !hasNumber(first)) return /^[^;]+(;[^;]+){4,}$/.test(first);
  const whole = lines.length < 2 ? lines : lines.slice(0, -1);
  return whole.every(hasNumber) && whole.some((line) => line.includes(";"));
}

function hasNumber(line: string): boolean {
  const text = line.trimEnd();
  const at = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t"));
  return text.slice(0, Math.max(0, at)).trimEnd() !== "" && numberAtEnd.test(text.slice(at + 1));
}

/** Stacks as Brendan Gregg's scripts, perf, py-spy, rbspy and others write them. Values are samples. */
export function readCollapsed(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  return pprofOf(limits, (stacks) => {
    const text = new TextBytes(bytes);
    const frames = new CollapsedFrames(text, stacks);
    let start = text.startsWith(byteOrderMark, 0, bytes.length) ? byteOrderMark.length : 0;
    for (let count = 1; start < bytes.length; count++) {
      const next = text.find(newline, start, bytes.length);
      const end = text.trimmedEnd(start, next);
      if (end > start && bytes[start] !== hash) {
        const at = text.findLast(space, tab, start, end);
        const namesEnd = text.trimmedEnd(start, at);
        const value = text.number(at + 1, end);
        if (namesEnd <= start || value === undefined) throw noValue(count, start);
        // Frames beyond the depth are cut, so that a line of separators takes no memory.
        stacks.add(frames.inLine(start, namesEnd, limits.depth + 1), [value]);
      }
      start = next + 1;
    }
    return { sampleTypes: [{ type: "samples", unit: "count" }] };
  });
}

function noValue(line: number, offset: number): Refusal {
  const message = `Line ${line} of the collapsed stacks must end with a whole number of at most ${Number.MAX_SAFE_INTEGER}, such as "main;handle 12".`;
  return new Refusal("invalid", message, "line", offset);
}

/** The frames of lines. Most come again. */
class CollapsedFrames {
  readonly #text: TextBytes;
  readonly #stacks: PprofStacks;
  readonly #names: ByteRuns;
  /** By number of the name. */
  readonly #frames: number[] = [];
  readonly #found = new GrowableUint32(64);

  constructor(text: TextBytes, stacks: PprofStacks) {
    this.#text = text;
    this.#stacks = stacks;
    this.#names = new ByteRuns(text);
  }

  /** Leaf first. */
  inLine(start: number, end: number, depth: number): Uint32Array {
    this.#found.clear();
    for (let from = start; from <= end && this.#found.length < depth; from = this.#names.end + 1) {
      const known = this.#names.next(semicolon, from, end);
      this.#found.push(known >= 0 ? this.#frames[known] : this.#add(from, this.#names.end));
    }
    return this.#found.filled().reverse();
  }

  #add(from: number, to: number): number {
    const { writer } = this.#stacks;
    const isPlace = this.#text.bytes[to - 1] === closing;
    const [, name, file, line] = (isPlace && place.exec(this.#text.text(from, to))) || [];
    this.#names.add(from, to);
    const frame =
      name !== undefined && file !== undefined
        ? this.#stacks.named({ name, file, line: Number(line) })
        : this.#stacks.frame(from === to ? writer.text("[unknown]") : writer.copied(this.#text, from, to));
    this.#frames.push(frame);
    return frame;
  }
}
