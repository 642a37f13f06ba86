import { TextRuns } from "#fast-reader/text-runs.ts";
import { GrowableUint32 } from "#memory/growable.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";

/** UTF-8, as Latin-1. */
const byteOrderMark = "\u00ef\u00bb\u00bf";
const [tab, space, hash, closing, semicolon] = [0x09, 0x20, 0x23, 0x29, 0x3b] as const;

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
    const runs = new TextRuns(text, (from, to) => frameOf(text, from, to, stacks));
    // Frames beyond the depth are cut, so that a line of separators takes no memory.
    const runsMax = limits.depth + 1;
    const start = text.startsWith(byteOrderMark, 0, bytes.length) ? byteOrderMark.length : 0;
    let count = 0;
    runs.eachLine({ kind: "frames", runsMax, start }, (start, lineEnd, from, to) => {
      count++;
      const end = text.trimmedEnd(start, lineEnd);
      if (end <= start || bytes[start] === hash) return;
      const at = text.findLast(space, tab, start, end);
      const namesEnd = text.trimmedEnd(start, at);
      const value = text.number(at + 1, end);
      if (namesEnd <= start || value === undefined)
        throw noValue(count, start, lineEnd === bytes.length && !hasNumber(text.text(start, end)));
      if (to > from) stacks.addRootFirst(runs.meanings, from, to, value);
      else stacks.add(framesOf(text, start, namesEnd, stacks, runsMax), [value]);
    });
    return { sampleTypes: [{ type: "samples", unit: "count" }] };
  });
}

function noValue(line: number, offset: number, isCutOff: boolean): Refusal {
  if (isCutOff) {
    const cut = `The collapsed stacks are cut off: line ${line}, the last one, has no end and no value.`;
    return new Refusal("malformed", cut, "", offset);
  }
  const message = `Line ${line} of the collapsed stacks must end with a whole number of at most ${Number.MAX_SAFE_INTEGER}, such as "main;handle 12".`;
  return new Refusal("invalid", message, "", offset);
}

/** The frames of an uncommon line, leaf first. */
function framesOf(text: TextBytes, start: number, end: number, stacks: PprofStacks, max: number) {
  const frames = new GrowableUint32(64);
  for (let from = start; from <= end && frames.length < max; ) {
    const to = text.find(semicolon, from, end);
    frames.push(frameOf(text, from, to, stacks));
    from = to + 1;
  }
  return frames.filled().reverse();
}

function frameOf(text: TextBytes, from: number, to: number, stacks: PprofStacks): number {
  const isPlace = text.bytes[to - 1] === closing;
  const [, name, file, line] = (isPlace && place.exec(text.text(from, to))) || [];
  if (name !== undefined && file !== undefined) return stacks.named({ name, file, line: Number(line) });
  return stacks.frame(from === to ? stacks.writer.text("[unknown]") : stacks.writer.copied(text, from, to));
}
