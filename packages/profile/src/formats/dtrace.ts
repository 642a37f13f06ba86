import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, StackLines } from "#write/stack-lines.ts";

/** Of DTrace's `profile` probes: the heading of its table, or two frames of a module each. */
export const dtraceBeginning =
  /^(?:CPU +ID +FUNCTION:NAME\r?\n|[^\s`]{1,100}`\S.{0,999}\r?\n\s{1,64}\S{1,100}`\S)/;
/** The table of probes, with the probe that ended the recording. */
const heading = /^(?:CPU +ID +FUNCTION:NAME|\s{0,20}\d{1,6} +\d{1,10} +\S{0,200}:\S{1,200}\s{0,20})$/;

/**
 * Aggregated stacks as `dtrace -n '... { @[ustack()] = count(); }'` prints them, leaf first, each with its count:
 *
 * ```
 *               libc.so.1`read+0x7
 *               app`main+0x1f
 *                14
 * ```
 */
export function readDtrace(bytes: Uint8Array, limits: ReadLimits): Profile {
  const stacks = new StackLines(1, limits);
  let frames: number[] = [];
  forEachLine(decodeText(bytes), (line) => {
    const text = line.trim();
    if (text === "" || heading.test(line)) return;
    if (/^\d{1,15}$/.test(text)) {
      if (frames.length > 0) stacks.add(frames, [Number(text)]);
      frames = [];
    } else frames.push(stacks.frame({ name: text.replace(/\+0x[0-9a-f]{1,16}$/, ""), file: "", line: 0 }));
  });
  if (frames.length === 0) return stacks.profile([{ type: "samples", unit: "count" }]);
  throw new Refusal(
    "invalid",
    "The last stack of DTrace has no count: the file is cut.",
    "line",
    bytes.length,
  );
}
