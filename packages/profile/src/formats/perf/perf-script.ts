import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, StackLines } from "#write/stack-lines.ts";
import { type EventLine, eventLine } from "./event-line.ts";
import { PerfEvents } from "./perf-events.ts";
import { framesOfSymbol } from "./symbols.ts";

/** The beginning of a text that `perf script` writes: an event and its stack, or two events without stacks. */
export function isPerfScript(head: string): boolean {
  if (/^# ={4,}\r?\n# captured on/.test(head)) return true;
  const [first = "", second = ""] = head
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"));
  const event = eventLine(first);
  if (event === undefined) return false;
  if (event.tid === undefined) return indentedFrame.test(second);
  return frameLine.test(event.rest) || frameLine.test(second) || eventLine(second)?.tid !== undefined;
}

/** Address, symbol, and mostly the file that has it, in brackets. */
const frameLine = /^\s{0,64}[0-9a-f]{1,16} (.+)$/;
const indentedFrame = /^\s{1,64}[0-9a-f]{4,16} \S/;
const sourceLine = /^\s{1,64}(\S.*):(\d{1,9})$/;
/** perf writes far shorter lines. */
const lineLengthMax = 64 * 1024;

/**
 * ```
 * comm  pid/tid [cpu] seconds:  period event:
 * 	 address symbol+0x1f (file)                 leaf first
 * 	   source.c:12                              of the frame above, if asked for
 * ```
 *
 * Each event has two sample types: its number of samples, and their periods. As in stackcollapse-perf.pl, the root of a stack is the name
 * of the command, and a frame without a symbol has the name of its file.
 */
export function readPerfScript(bytes: Uint8Array, limits: ReadLimits): Profile {
  const script = new Script(limits);
  forEachLine(decodeText(bytes), (line, offset) => script.add(line, offset));
  return script.profile();
}

interface OpenSample extends EventLine {
  readonly frames: number[];
}

class Script {
  readonly #stacks: StackLines;
  readonly #events: PerfEvents;
  /** Frames of lines that came before: most lines repeat. */
  readonly #framesOf = new Map<string, readonly number[]>();
  #open: OpenSample | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  constructor(limits: ReadLimits) {
    this.#stacks = new StackLines(0, limits);
    this.#events = new PerfEvents(limits);
  }

  add(line: string, offset: number): void {
    const open = this.#open;
    const known = open && this.#framesOf.get(line);
    if (known !== undefined) open!.frames.push(...known);
    else if (line === "") this.#close();
    else if (line.length > lineLengthMax) {
      const message = `Line of the output of perf script with more than ${lineLengthMax} characters.`;
      throw new Refusal("invalid", message, "line", offset);
    } else if (!line.startsWith("#")) this.#addNew(line);
  }

  #addNew(line: string): void {
    const event = eventLine(line);
    const isFrame = frameLine.test(line);
    // A command may be named as a number is written: only events have a time or end with their name.
    if (event !== undefined && (!isFrame || event.seconds !== undefined || line.trimEnd().endsWith(":"))) {
      this.#close();
      this.#open = { ...event, frames: [] };
      if (frameLine.test(event.rest)) this.#addFrames(event.rest);
    } else if (isFrame && this.#open !== undefined) this.#addFrames(line);
    else this.#addSource(line);
  }

  #addFrames(line: string): void {
    const frames = framesOfSymbol(frameLine.exec(line)?.[1] ?? "").map((frame) => this.#stacks.frame(frame));
    this.#framesOf.set(line, frames);
    this.#open?.frames.push(...frames);
  }

  #addSource(line: string): void {
    const [, file, number] = sourceLine.exec(line) ?? [];
    const frames = this.#open?.frames ?? [];
    const last = frames.at(-1);
    if (file === undefined || last === undefined) return;
    frames[frames.length - 1] = this.#stacks.frame({
      name: this.#stacks.nameOf(last),
      file,
      line: Number(number),
    });
  }

  #close(): void {
    const sample = this.#open;
    this.#open = undefined;
    if (sample === undefined) return;
    const { command, pid, tid, seconds, frames } = sample;
    if (seconds !== undefined) {
      this.#first = Math.min(this.#first, seconds);
      this.#last = Math.max(this.#last, seconds);
    }
    frames.push(this.#stacks.frame({ name: command, file: "", line: 0 }));
    const values = this.#events.valuesOf(sample, this.#stacks);
    this.#stacks.add(frames, values, {
      ...(pid !== undefined && { pid }),
      ...(tid !== undefined && { tid }),
    });
  }

  profile(): Profile {
    this.#close();
    const durationNs = this.#last > this.#first ? BigInt(Math.round((this.#last - this.#first) * 1e9)) : 0n;
    return this.#events.profile(this.#stacks, durationNs);
  }
}
