import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, type LineFrame, StackLines } from "#write/stack-lines.ts";

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

/** Stacks as Brendan Gregg's scripts, perf, py-spy, rbspy and others write them. Values are samples. */
export function readCollapsed(bytes: Uint8Array, limits: ReadLimits): Profile {
  const stacks = new StackLines(1, limits);
  let count = 0;
  forEachLine(decodeText(bytes).replace(/^\ufeff/, ""), (line, offset) => {
    count++;
    if (line.trim() === "" || line.startsWith("#")) return;
    const stack = stackOf(line);
    if (stack === undefined) {
      const message = `Line ${count} of the collapsed stacks must end with a whole number of at most ${Number.MAX_SAFE_INTEGER}, such as "main;handle 12".`;
      throw new Refusal("invalid", message, "line", offset);
    }
    // Frames beyond the depth are cut, so that a line of separators takes no memory.
    const frames = stack.names.split(";", limits.depth + 1).map((name) => stacks.frame(frameOf(name)));
    stacks.add(frames.reverse(), [stack.value]);
  });
  return stacks.profile([{ type: "samples", unit: "count" }]);
}

/** `main;handle;encode 12`: the names, root first, and the value. Undefined for another line. */
function stackOf(line: string): { names: string; value: number } | undefined {
  const { names, end } = partsOf(line);
  const value = /^\d{1,16}$/.test(end) ? Number(end) : Number.NaN;
  return names === "" || !Number.isSafeInteger(value) ? undefined : { names, value };
}

function hasNumber(line: string): boolean {
  const { names, end } = partsOf(line);
  return names !== "" && numberAtEnd.test(end);
}

function partsOf(line: string): { readonly names: string; readonly end: string } {
  const text = line.trimEnd();
  const at = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t"));
  return { names: text.slice(0, Math.max(0, at)).trimEnd(), end: text.slice(at + 1) };
}

function frameOf(text: string): LineFrame {
  const [, name, file, line] = place.exec(text) ?? [];
  if (name === undefined || file === undefined)
    return { name: text === "" ? "[unknown]" : text, file: "", line: 0 };
  return { name, file, line: Number(line) };
}
