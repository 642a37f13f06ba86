import { TextRuns } from "#fast-reader/text-runs.ts";
import { GrowableUint32 } from "#memory/growable.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { type PprofFacts, type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";
import { EventForms, type PerfSample } from "./event-forms.ts";
import { type EventLine, eventLine } from "./event-line.ts";
import { PerfEvents } from "./perf-events.ts";
import { framesOfSymbol, simpleFrame } from "./symbols.ts";

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

/** Address, symbol, and mostly the file that has it, in brackets. Android's simpleperf writes a tab after the address. */
const frameLine = /^\s{0,64}[0-9a-f]{1,16}[ \t](.+)$/;
const indentedFrame = /^\s{1,64}[0-9a-f]{4,16}[ \t]\S/;
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
export function readPerfScript(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  return pprofOf(limits, (stacks) => new Script(new TextBytes(bytes), stacks, limits).read());
}

const hash = 0x23;
/** The meaning of a line that is no frame. */
const none = 0;

class Script {
  readonly #text: TextBytes;
  readonly #stacks: PprofStacks;
  readonly #events: PerfEvents;
  readonly #forms: EventForms;
  /** Most lines of frames come again, and are read once. */
  readonly #lines: TextRuns;
  readonly #framesOf: (readonly number[])[] = [[]];
  readonly #frames = new GrowableUint32(64);
  #open: PerfSample | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  constructor(text: TextBytes, stacks: PprofStacks, limits: ReadLimits) {
    this.#text = text;
    this.#stacks = stacks;
    this.#events = new PerfEvents(limits);
    this.#forms = new EventForms(text, stacks);
    this.#lines = new TextRuns(text, (start, end) => this.#meaningOf(start, end));
  }

  read(): PprofFacts {
    this.#lines.eachLine({ kind: "indented" }, (start, end, from, to) => {
      const meaning = to > from ? this.#lines.meanings[from] : none;
      if (meaning !== none && this.#open !== undefined) this.#addFrames(this.#framesOf[meaning]);
      else this.#addLine(start, end);
    });
    this.#close();
    const durationNs = this.#last > this.#first ? BigInt(Math.round((this.#last - this.#first) * 1e9)) : 0n;
    return { ...this.#events.facts(), durationNs };
  }

  /** The place of the frames of an indented line. */
  #meaningOf(start: number, end: number): number {
    if (end - start > lineLengthMax) return none;
    const simple = simpleFrame(this.#text, start, end, this.#stacks);
    if (simple !== undefined) return this.#framesOf.push([simple]) - 1;
    const line = this.#text.text(start, end);
    const symbol = frameLine.exec(line)?.[1];
    if (symbol === undefined || isEvent(line, eventLine(line), symbol)) return none;
    return this.#framesOf.push(this.#symbol(symbol)) - 1;
  }

  #addLine(start: number, end: number): void {
    if (end === start) this.#close();
    else if (end - start > lineLengthMax) {
      const message = `Line of the output of perf script with more than ${lineLengthMax} characters.`;
      throw new Refusal("invalid", message, "line", start);
    } else if (this.#text.bytes[start] !== hash) this.#addNew(start, end);
  }

  #addNew(start: number, end: number): void {
    const sample = this.#forms.sampleAt(start, end);
    if (sample !== undefined) this.#begin(sample);
    else this.#addUncommon(this.#text.text(start, end));
  }

  #addUncommon(line: string): void {
    const event = eventLine(line);
    const symbol = frameLine.exec(line)?.[1];
    if (isEvent(line, event, symbol)) {
      this.#begin(this.#forms.sampleOf(event));
      const ofEvent = frameLine.exec(event.rest)?.[1];
      if (ofEvent !== undefined) this.#addFrames(this.#symbol(ofEvent));
    } else if (symbol !== undefined && this.#open !== undefined) this.#addFrames(this.#symbol(symbol));
    else this.#addSource(line);
  }

  #symbol(text: string): number[] {
    return framesOfSymbol(text).map((frame) => this.#stacks.named(frame));
  }

  #addFrames(frames: readonly number[]): void {
    for (let i = 0; i < frames.length; i++) this.#frames.push(frames[i]);
  }

  /** The file and line of the frame above. */
  #addSource(line: string): void {
    const [, file, number] = sourceLine.exec(line) ?? [];
    const last = this.#frames.length - 1;
    if (file === undefined || last < 0) return;
    const name = this.#stacks.nameOf(this.#frames.array[last]);
    this.#frames.array[last] = this.#stacks.frame(name, this.#stacks.writer.text(file), Number(number));
  }

  #begin(sample: PerfSample): void {
    this.#close();
    this.#open = sample;
  }

  #close(): void {
    const sample = this.#open;
    this.#open = undefined;
    if (sample === undefined) return;
    const { form, seconds, period } = sample;
    if (seconds !== undefined) {
      this.#first = Math.min(this.#first, seconds);
      this.#last = Math.max(this.#last, seconds);
    }
    this.#frames.push(form.command);
    this.#stacks.add(this.#frames.filled(), this.#events.valuesOf(form.event, period), form.labels);
    this.#frames.clear();
  }
}

/** A command may be named as a number is written: only events have a time or end with their name. */
function isEvent(line: string, event: EventLine | undefined, symbol: string | undefined): event is EventLine {
  return (
    event !== undefined &&
    (symbol === undefined || event.seconds !== undefined || line.trimEnd().endsWith(":"))
  );
}
