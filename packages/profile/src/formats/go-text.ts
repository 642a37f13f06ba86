import { TextRuns } from "#fast-reader/text-runs.ts";
import { GrowableUint32 } from "#memory/growable.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { type PprofFacts, type PprofStacks, pprofOf } from "#write/pprof-stacks.ts";
import type { LineLabels } from "#write/stack-lines.ts";
import { readLegacyText } from "./legacy/text-profile.ts";

/**
 * Profiles that Go writes as text (`debug=1`): a header, and for each stack its values and addresses, then a comment for each
 * function. Comments lack the functions of the runtime at the leaf. (`printStackRecord` and its callers in Go's runtime/pprof.)
 */
export const goTextHeader =
  /^(heap profile: \d+: \d+ \[\d+: \d+\] @ heap\/\d+|--- (mutex|contention):\r?\ncycles\/second=|\S{1,80} profile: total \d+\r?\n\d+ @)/;

/** One kind of text: how its values are read. */
interface Kind {
  readonly sampleTypes: readonly ValueType[];
  readonly facts: Omit<PprofFacts, "sampleTypes">;
  /** The numbers before the addresses. */
  readonly values: (numbers: readonly number[]) => number[];
}

const count = (type: string): ValueType => ({ type, unit: "count" });

/** The values of a record, before its addresses. */
const valuesOfRecord = /^(\d+)(?:: (\d+) \[(\d+): (\d+)\]| (\d+))? $/;
/** Go's longest lines, which name labels, are far shorter. Within it, a line of any content takes little memory. */
const lineLengthMax = 1024 * 1024;
const labelsLine = /^# labels: (\{.*\})$/;

/** Early versions of Go wrote addresses alone. */
export function readGoText(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  const text = new TextBytes(bytes);
  let isNamed = true;
  const named = pprofOf(limits, (stacks) => {
    const records = new Records(text, stacks);
    isNamed = records.read();
    return { sampleTypes: records.kind.sampleTypes, ...records.kind.facts };
  });
  return isNamed ? named : readLegacyText(bytes, limits);
}

const [tab, newline, plus, hash, colon, at] = [0x09, 0x0a, 0x2b, 0x23, 0x3a, 0x40] as const;
const [digit0, digit9, letterA, letterF] = [0x30, 0x39, 0x61, 0x66] as const;

/** The records of a text, each with its stack. Most comments come again, and are read once. */
class Records {
  readonly kind: Kind;
  readonly #text: TextBytes;
  readonly #stacks: PprofStacks;
  readonly #comments: TextRuns;
  #hasRecords = false;
  #hasFunctions = false;
  readonly #frames = new GrowableUint32(64);
  #values: number[] | undefined;
  #addresses: [from: number, end: number] = [0, 0];
  #labels = 0;

  constructor(text: TextBytes, stacks: PprofStacks) {
    this.#text = text;
    this.#stacks = stacks;
    this.#comments = new TextRuns(text, (start, end) => this.#meaningOf(start, end));
    const { length } = text.bytes;
    const first = text.find(newline, 0, length);
    this.kind = kindOf(text.text(0, text.find(newline, first + 1, length)));
  }

  /** Whether a record has functions, or there is none. */
  read(): boolean {
    const comments = this.#comments;
    comments.eachLine({ kind: "comments" }, (start, end, from, to) => {
      if (end - start > lineLengthMax) {
        const message = `The profile has a line with more than ${lineLengthMax} characters.`;
        throw new Refusal("invalid", message, "line", start);
      }
      if (this.#text.bytes[start] !== hash) this.#open(start, end);
      else if (this.#values !== undefined)
        this.#add(to > from ? comments.meanings[from] : this.#meaningOf(start, end));
    });
    this.#close();
    return this.#hasFunctions || !this.#hasRecords;
  }

  #add(meaning: number): void {
    if (meaning === 0) return;
    if (meaning % 2 === 0) {
      this.#frames.push(meaning / 2 - 1);
      this.#hasFunctions = true;
    } else this.#labels = (meaning - 1) / 2;
  }

  #open(start: number, end: number): void {
    if (this.#text.bytes[start] < digit0 || this.#text.bytes[start] > digit9) return;
    const from = this.#text.find(at, start, end);
    const values = valuesOfRecord.exec(this.#text.text(start, from));
    if (values === null || from === end || !this.#areAddresses(from + 1, end)) return;
    this.#close();
    const numbers = values.slice(1).filter((number) => number !== undefined);
    this.#values = this.kind.values(numbers.map(Number)).map((value) => within64Bits(value, start));
    this.#addresses = [from + 1, end];
    this.#hasRecords = true;
  }

  /** Whether the bytes are addresses such as ` 0x4729e8`. */
  #areAddresses(from: number, end: number): boolean {
    const { bytes } = this.#text;
    let digits = 1;
    for (let place = from; place < end; place++) {
      const byte = bytes[place];
      if ((byte >= digit0 && byte <= digit9) || (byte >= letterA && byte <= letterF)) digits++;
      else if (digits === 0 || !this.#text.startsWith(" 0x", place, end)) return false;
      else {
        digits = 0;
        place += 2;
      }
    }
    return digits > 0;
  }

  #close(): void {
    const values = this.#values;
    if (values?.some((value) => value !== 0)) {
      if (this.#frames.length === 0)
        for (const name of this.#text.text(...this.#addresses).split(" "))
          if (name !== "") this.#frames.push(this.#stacks.named({ name, file: "", line: 0 }));
      this.#stacks.add(this.#frames.filled(), values, this.#labels);
    }
    this.#values = undefined;
    this.#frames.clear();
    this.#labels = 0;
  }

  /** The meaning of a comment: 0 for none, an even number for a frame, and an odd one for labels. */
  #meaningOf(start: number, end: number): number {
    const isFunction = this.#text.startsWith("#\t0x", start, end);
    if (isFunction) return 2 * (this.#frameOf(start + 2, end) + 1);
    const labels = this.#labelsOf(start, end);
    return labels && 2 * labels + 1;
  }

  /** `0x4729e8\tsync.(*Mutex).Unlock+0x28\t\tsync/mutex.go:223`; a function without a name has its address only. */
  #frameOf(start: number, end: number): number {
    const text = this.#text;
    const { writer } = this.#stacks;
    const nameAt = text.find(tab, start, end) + 1;
    if (nameAt > end) return this.#stacks.frame(writer.copied(text, start, end));
    const columnEnd = text.find(tab, nameAt, end);
    const place = text.findLast(tab, tab, columnEnd, end) + 1 || end;
    const lineAt = text.findLast(colon, colon, place, end) + 1;
    let offset = text.findLast(plus, plus, nameAt, columnEnd);
    while (offset >= 0 && !text.startsWith("+0x", offset, columnEnd))
      offset = text.findLast(plus, plus, nameAt, offset);
    return this.#stacks.frame(
      writer.copied(text, nameAt, offset < 0 ? columnEnd : offset),
      writer.copied(text, place, Math.max(place, lineAt - 1)),
      text.leadingInt32(lineAt || place, end),
    );
  }

  /** The number of a set of labels; 0 for a comment without labels. */
  #labelsOf(start: number, end: number): number {
    const labels = labelsLine.exec(this.#text.text(start, end))?.[1];
    return labels === undefined ? 0 : this.#stacks.labels(labelsOf(labels));
  }
}

function within64Bits(value: number, offset: number): number {
  if (value < 2 ** 63) return value;
  throw new Refusal("invalid", "The profile has a value that does not fit 64 bits.", "line", offset);
}

/** Go writes texts only. */
function labelsOf(text: string): LineLabels {
  try {
    const labels: [string, unknown][] = Object.entries(JSON.parse(text));
    return Object.fromEntries(
      labels.filter((label): label is [string, string] => typeof label[1] === "string"),
    );
  } catch {
    return {};
  }
}

function kindOf(text: string): Kind {
  const [, twiceRate] = /^heap profile: .*@ heap\/(\d+)/.exec(text) ?? [];
  if (twiceRate !== undefined) return heap(within64Bits(Number(twiceRate) / 2, 0));
  const [, perSecond] = /^--- .*\r?\ncycles\/second=(\d+)/.exec(text) ?? [];
  if (perSecond !== undefined) return waits(Number(perSecond));
  const name = text.slice(0, text.indexOf(" "));
  return {
    sampleTypes: [count(name)],
    facts: { periodType: count(name), period: 1n },
    values: ([number = 0]) => [number],
  };
}

/** The text has the sampled values. They are scaled to all values, as `scaleHeapSample` does for Go's binary form. */
function heap(rate: number): Kind {
  const bytes = (type: string): ValueType => ({ type, unit: "bytes" });
  const scaled = (objects: number, size: number) => {
    if (objects === 0 || size === 0) return [0, 0];
    const scale = rate <= 1 ? 1 : 1 / (1 - Math.exp(-size / objects / rate));
    return [Math.trunc(objects * scale), Math.trunc(size * scale)];
  };
  return {
    sampleTypes: [count("alloc_objects"), bytes("alloc_space"), count("inuse_objects"), bytes("inuse_space")],
    facts: { periodType: bytes("space"), period: BigInt(Math.trunc(rate)), defaultSampleType: "inuse_space" },
    values: ([objects = 0, size = 0, allocated = 0, allocatedSize = 0]) => [
      ...scaled(allocated, allocatedSize),
      ...scaled(objects, size),
    ],
  };
}

function waits(cyclesPerSecond: number): Kind {
  return {
    sampleTypes: [count("contentions"), { type: "delay", unit: "nanoseconds" }],
    facts: { periodType: count("contentions"), period: 1n },
    values: ([cycles = 0, contentions = 0]) => [contentions, Math.trunc(cycles / (cyclesPerSecond / 1e9))],
  };
}
