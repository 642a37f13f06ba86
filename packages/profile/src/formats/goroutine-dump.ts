import { TextRuns } from "#fast-reader/text-runs.ts";
import { ByteRuns } from "#memory/byte-runs.ts";
import { GrowableUint32 } from "#memory/growable.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import { Tuples } from "#memory/tuples.ts";
import { type ReadLimits, truncatedName } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";
import type { LineLabels } from "#write/stack-lines.ts";

/** Go writes far shorter lines; each fact and label of a header takes many times its length. */
const lineLengthMax = 64 * 1024;

/**
 * All goroutines of a Go program as text (`debug=2`, panics, SIGQUIT), from Go's runtime/traceback.go:
 *
 * ```
 * goroutine 70 [chan receive, 5 minutes, locked to thread] {route: /checkout}:   state, minutes from the first on, labels since Go 1.27
 * main.leak(0xc000010018?)                                                       leaf first
 * 	/path/main.go:33 +0x24
 * ...54 frames elided...
 * created by main.main in goroutine 1
 * 	/path/main.go:52 +0x4e
 * ```
 *
 * A goroutine is a sample. Its state, minutes of waiting, creator and labels are labels of the sample. Lines of any other form are skipped.
 */
export function readGoroutineDump(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  return pprofOf(limits, (stacks) => {
    new Dump(new TextBytes(bytes), stacks, limits).read();
    return { sampleTypes: [goroutine], periodType: goroutine, period: 1n };
  });
}

const goroutine: ValueType = { type: "goroutine", unit: "count" };
const [tab, space, opening, closing, colon, dot] = [0x09, 0x20, 0x28, 0x29, 0x3a, 0x2e] as const;
const none = -1;
const createdBy = "created by ";
const originating = "[originating from goroutine ";
const goexit = "runtime.goexit";
const elided = /^\.\.\.(?:additional|\d+) frames elided\.\.\.$/;

interface Goroutine {
  /** Its state and what else the header says, from the bracket on. */
  readonly factsAt: number;
  readonly factsEnd: number;
  /** The function whose place the next line has. */
  call: number;
  creator: number;
  creatorAt: number;
  creatorEnd: number;
  /** Whether the lines are of the stack of a goroutine that created this one (`GODEBUG=tracebackancestors`). */
  isOfAncestor: boolean;
}

class Dump {
  readonly #text: TextBytes;
  readonly #stacks: PprofStacks;
  readonly #limits: ReadLimits;
  /** Most calls and their places come again, and are read once. */
  readonly #runs: TextRuns;
  readonly #placeOf = { file: [] as number[], line: [] as number[] };
  readonly #facts: ByteRuns;
  /** Facts and creators, and the labels of each of these. */
  readonly #origins = new Tuples(2);
  readonly #labels: number[] = [];
  readonly #frames = new GrowableUint32(64);
  #open: Goroutine | undefined;

  constructor(text: TextBytes, stacks: PprofStacks, limits: ReadLimits) {
    this.#text = text;
    this.#stacks = stacks;
    this.#limits = limits;
    this.#runs = new TextRuns(text, (start, end) => this.#meaningOf(start, end));
    this.#facts = new ByteRuns(text);
  }

  read(): void {
    const { bytes } = this.#text;
    const runs = this.#runs;
    runs.eachLine({ kind: "places" }, (start, end, from, to) => {
      if (end - start > lineLengthMax) {
        const message = `Line of the goroutine dump with more than ${lineLengthMax} characters.`;
        throw new Refusal("invalid", message, "line", start);
      }
      const isPlace = bytes[start] === tab && end > start;
      const meaning = to > from ? runs.meanings[from] : isPlace ? this.#newPlace(start, end) : 0;
      if (isPlace) this.#addPlace(meaning);
      else if (meaning === 0) this.#addLine(start, end);
      else if (this.#open !== undefined && !this.#open.isOfAncestor) this.#open.call = meaning - 1;
    });
    this.#close();
  }

  /** The number of a place, or the name of a function, counted from 1; 0 for a line that is no call. */
  #meaningOf(start: number, end: number): number {
    const text = this.#text;
    if (text.bytes[start] === tab) return this.#newPlace(start, end);
    const isOther = ["goroutine ", createdBy, originating].some((part) => text.startsWith(part, start, end));
    return isOther || this.#isGoexit(start, end) ? 0 : 1 + this.#stacks.writer.copied(text, start, end);
  }

  /** `\t/path/main.go:33 +0x24 fp=0xc000 sp=0xc000 pc=0x47ec79` */
  #newPlace(start: number, end: number): number {
    const text = this.#text;
    const at = text.findLast(colon, colon, start, end);
    this.#placeOf.file.push(at < 0 ? 0 : this.#stacks.writer.copied(text, start + 1, at));
    return this.#placeOf.line.push(at < 0 ? 0 : text.leadingInt32(at + 1, end)) - 1;
  }

  #addPlace(place: number): void {
    const open = this.#open;
    if (open === undefined || open.isOfAncestor) return;
    if (open.call !== none)
      this.#frames.push(this.#stacks.frame(open.call, this.#placeOf.file[place], this.#placeOf.line[place]));
    open.call = none;
  }

  #addLine(start: number, end: number): void {
    const text = this.#text;
    const factsAt = text.startsWith("goroutine ", start, end) ? this.#indexOf(" [", start, end) : end;
    if (factsAt < end) {
      this.#close();
      const creator = { creator: none, creatorAt: none, creatorEnd: none };
      this.#open = { factsAt, factsEnd: end, call: none, ...creator, isOfAncestor: false };
    } else if (start === end) this.#close();
    else if (this.#open !== undefined && !this.#open.isOfAncestor) this.#addCall(this.#open, start, end);
  }

  #addCall(open: Goroutine, start: number, end: number): void {
    const text = this.#text;
    const { writer } = this.#stacks;
    if (text.startsWith(createdBy, start, end)) {
      open.creatorAt = start + createdBy.length;
      open.creatorEnd = Math.max(open.creatorAt, this.#indexOf(" in goroutine ", open.creatorAt - 1, end));
      open.creator = writer.copied(text, open.creatorAt, open.creatorEnd);
      open.call = none;
    } else if (text.startsWith(originating, start, end)) open.isOfAncestor = true;
    else if (text.bytes[start] === dot && elided.test(text.text(start, end)))
      this.#frames.push(this.#stacks.frame(writer.text(truncatedName)));
    else open.call = this.#functionOf(start, end);
  }

  /** `main.(*Server).serve(0xc000010018?, {0x1, 0x2})` without the arguments; functions of C have none. Go leaves the function that ends every goroutine out of profiles. */
  #functionOf(start: number, end: number): number {
    const text = this.#text;
    const isCall = text.bytes[end - 1] === closing;
    if (!isCall && text.find(opening, start, end) < end) return none;
    const last = isCall ? text.findLast(opening, opening, start, end) : end;
    const to = last < 0 ? end - 1 : last;
    return this.#isGoexit(start, to) ? none : this.#stacks.writer.copied(text, start, to);
  }

  #isGoexit(start: number, end: number): boolean {
    return end - start === goexit.length && this.#text.startsWith(goexit, start, end);
  }

  #indexOf(part: string, from: number, end: number): number {
    let at = this.#text.find(space, from, end);
    while (at < end && !this.#text.startsWith(part, at, end)) at = this.#text.find(space, at + 1, end);
    return at;
  }

  #close(): void {
    if (this.#open !== undefined) this.#stacks.add(this.#frames.filled(), [1], this.#labelsOf(this.#open));
    this.#open = undefined;
    this.#frames.clear();
  }

  #labelsOf({ factsAt, factsEnd, creator, creatorAt, creatorEnd }: Goroutine): number {
    const known = this.#facts.find(this.#text, factsAt, factsEnd);
    const facts = known >= 0 ? known : this.#facts.add(factsAt, factsEnd);
    const origin = this.#origins.intern(facts, creator + 1);
    if (origin < this.#labels.length) return this.#labels[origin];
    const header = this.#text.text(factsAt, factsEnd);
    const name = creator === none ? undefined : this.#text.text(creatorAt, creatorEnd);
    const labels = this.#stacks.labels(labelsOf(header, name, this.#limits));
    this.#labels.push(labels);
    return labels;
  }
}

function labelsOf(header: string, creator: string | undefined, { labelsPerSample }: ReadLimits): LineLabels {
  const start = header.indexOf(" [") + 2;
  const end = firstOf(header, start, ["]", " labels:{"]);
  const [state = "", ...facts] = header.slice(start, end).split(", ");
  const minutes = facts
    .map((fact) => /^(\d{1,9}) minutes$/.exec(fact)?.[1])
    .find((found) => found !== undefined);
  return {
    state: state.replace(" (scan)", ""),
    ...(minutes !== undefined && { wait_minutes: minutes }),
    ...(facts.includes("locked to thread") && { locked_to_thread: "true" }),
    ...(creator !== undefined && { created_by: creator }),
    // One more than are kept, so that the trimming is counted.
    ...labelsIn(header, end, labelsPerSample + 1),
  };
}

function firstOf(text: string, from: number, ends: readonly string[]): number {
  const found = ends.map((end) => text.indexOf(end, from)).filter((at) => at >= 0);
  return Math.min(text.length, ...found);
}

/** A key or value: as it is, or in quotes where it has characters that need them. */
const token = /"((?:[^"\\]|\\.)*)"|([^\s",:{}]*)/y;

/** `{route: /checkout, "user name": "Zo\u00eb"}`. Go 1.26 has them in the brackets of the state, later versions behind. */
function labelsIn(header: string, from: number, max: number): LineLabels {
  const brace = header.indexOf("{", from);
  const labels: [string, string][] = [];
  for (let at = brace + 1; brace >= 0 && labels.length < max; ) {
    const key = tokenAt(header, at);
    if (key === undefined || !header.startsWith(": ", key.end)) break;
    const value = tokenAt(header, key.end + 2);
    if (value === undefined) break;
    labels.push([key.text, value.text]);
    if (!header.startsWith(", ", value.end)) break;
    at = value.end + 2;
  }
  return Object.fromEntries(labels);
}

function tokenAt(text: string, at: number): { text: string; end: number } | undefined {
  token.lastIndex = at;
  const [, quoted, plain] = token.exec(text) ?? [];
  if (quoted === undefined && plain === undefined) return undefined;
  return { text: plain ?? unescaped(quoted ?? ""), end: token.lastIndex };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4})|(.))/g,
    (_, ...groups) => {
      const [two, four, eight, letter] = groups as (string | undefined)[];
      const code = two ?? four ?? eight;
      return code === undefined
        ? (escapes[letter ?? ""] ?? letter ?? "")
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}
