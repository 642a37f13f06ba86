import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, type LineFrame, StackLines } from "#write/stack-lines.ts";

/** py-spy and others add the place: `handle (app/views.py:12)`. */
const place = /^(.+) \(([^()]+):(\d{1,9})\)$/;

/** The first lines of a text; the last one may be cut. */
export function areCollapsed(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const [first = ""] = lines;
  // The only line may be longer than the head.
  if (lines.length < 2 && stackOf(first) === undefined) return /^[^;]+(;[^;]+){4,}$/.test(first);
  const whole = lines.length < 2 ? lines : lines.slice(0, -1);
  return whole.every((line) => stackOf(line) !== undefined) && whole.some((line) => line.includes(";"));
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
      const message = `Line ${count} of the collapsed stacks has no whole number at its end, such as "main;handle 12".`;
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
  const text = line.trimEnd();
  const at = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t"));
  const digits = text.slice(at + 1);
  const value = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  const names = text.slice(0, Math.max(0, at)).trimEnd();
  return names === "" || !Number.isSafeInteger(value) ? undefined : { names, value };
}

function frameOf(text: string): LineFrame {
  const [, name, file, line] = place.exec(text) ?? [];
  if (name === undefined || file === undefined)
    return { name: text === "" ? "[unknown]" : text, file: "", line: 0 };
  return { name, file, line: Number(line) };
}
