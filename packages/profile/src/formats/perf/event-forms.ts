import { ByteRuns } from "#memory/byte-runs.ts";
import type { TextBytes } from "#memory/text-bytes.ts";
import { Tuples } from "#memory/tuples.ts";
import type { PprofStacks } from "#write/pprof-stacks.ts";
import { type EventLine, eventLine } from "./event-line.ts";

/** The part that the lines of one thread and event share. */
interface EventForm {
  readonly event: string | undefined;
  /** Frame of the command. */
  readonly command: number;
  readonly labels: number;
}

export interface PerfSample {
  readonly form: EventForm;
  readonly seconds: number | undefined;
  readonly period: number | undefined;
}

const [tab, space, dot, colon] = [0x09, 0x20, 0x2e, 0x3a] as const;
/** More digits of a time are not exact as a number. */
const digitsMax = 15;

/**
 * Lines of events differ in their time and period. The bytes before the time and those behind the period are the form of a line, which
 * is read once.
 */
export class EventForms {
  readonly #text: TextBytes;
  readonly #stacks: PprofStacks;
  readonly #parts: ByteRuns;
  /** Both parts, and whether there is a period. */
  readonly #pairs = new Tuples(3);
  /** Undefined for a form whose lines are read one by one. */
  readonly #forms: (EventForm | undefined)[] = [];
  readonly #threads = new Map<string, number>();

  constructor(text: TextBytes, stacks: PprofStacks) {
    this.#text = text;
    this.#stacks = stacks;
    this.#parts = new ByteRuns(text);
  }

  sampleOf({ command, pid, tid, event, seconds, period }: EventLine): PerfSample {
    const thread = JSON.stringify([pid, tid]);
    const labels =
      this.#threads.get(thread) ??
      this.#stacks.labels({ ...(pid !== undefined && { pid }), ...(tid !== undefined && { tid }) });
    this.#threads.set(thread, labels);
    const name = this.#stacks.named({ name: command, file: "", line: 0 });
    return { form: { event, command: name, labels }, seconds, period };
  }

  /** Undefined for a line without a time, and for one of an uncommon form. */
  sampleAt(start: number, end: number): PerfSample | undefined {
    const text = this.#text;
    const time = this.#timeIn(start, end);
    if (time === undefined) return undefined;
    let from = time.end + 1;
    while (from < end && text.bytes[from] === space) from++;
    let to = from;
    while (to < end && isDigit(text.bytes[to])) to++;
    const period = text.number(from, to);
    // Digits that are no period are part of something else.
    if (to > from && (period === undefined || text.bytes[to] !== space || to === end)) return undefined;
    const pair = this.#pairs.intern(
      this.#part(start, time.start),
      this.#part(to, end),
      to - from === 0 ? 0 : 1,
    );
    if (pair === this.#forms.length)
      this.#forms.push(this.#formOf([start, time.start], [to, end], to > from));
    const form = this.#forms[pair];
    return form && { form, seconds: time.seconds, period };
  }

  #part(from: number, to: number): number {
    const known = this.#parts.find(this.#text, from, to);
    return known >= 0 ? known : this.#parts.add(from, to);
  }

  #formOf(head: readonly [number, number], tail: readonly [number, number], hasPeriod: boolean) {
    const line = `${this.#text.text(...head)}0.0: ${hasPeriod ? "1" : ""}${this.#text.text(...tail)}`;
    const event = eventLine(line);
    if (event?.seconds !== 0 || event.tid === undefined || event.rest.trim() !== "") return undefined;
    return (event.period !== undefined) === hasPeriod ? this.sampleOf(event).form : undefined;
  }

  /** The first word such as `7100.000001:`. */
  #timeIn(start: number, end: number) {
    const { bytes } = this.#text;
    for (let at = this.#text.find(colon, start, end); at < end; at = this.#text.find(colon, at + 1, end)) {
      if (at + 1 < end && !isBlank(bytes[at + 1])) continue;
      let point = at - 1;
      while (point > start && isDigit(bytes[point])) point--;
      if (bytes[point] !== dot || point === at - 1) continue;
      let from = point - 1;
      while (from >= start && isDigit(bytes[from])) from--;
      from++;
      if (from === point || (from > start && !isBlank(bytes[from - 1]))) continue;
      const [whole, fraction] = [this.#text.number(from, point), this.#text.number(point + 1, at)];
      if (at - from > digitsMax || whole === undefined || fraction === undefined) return undefined;
      const scale = 10 ** (at - point - 1);
      return { start: from, end: at, seconds: (whole * scale + fraction) / scale };
    }
    return undefined;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab;
}
