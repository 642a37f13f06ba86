import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, type LineFrame, type LineLabels, StackLines } from "#write/stack-lines.ts";
import type { StackFacts } from "#write/write-profile.ts";
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
  readonly facts: StackFacts;
  /** The numbers before the addresses. */
  readonly values: (numbers: readonly number[]) => number[];
}

const count = (type: string): ValueType => ({ type, unit: "count" });

const record = /^(\d+)(?:: (\d+) \[(\d+): (\d+)\]| (\d+))? @((?: 0x[0-9a-f]+)*)$/;
/** Go's longest lines, which name labels, are far shorter. Within it, a line of any content takes little memory. */
const lineLengthMax = 1024 * 1024;
const labelsLine = /^# labels: (\{.*\})$/;

/** Early versions of Go wrote addresses alone. */
export function readGoText(bytes: Uint8Array, limits: ReadLimits): Profile | Uint8Array {
  return readNamed(bytes, limits) ?? readLegacyText(bytes, limits);
}

/** Undefined where no record has functions. */
function readNamed(bytes: Uint8Array, limits: ReadLimits): Profile | undefined {
  const text = decodeText(bytes);
  const kind = kindOf(text);
  const stacks = new StackLines(kind.sampleTypes.length, limits);
  let open: { values: number[]; addresses: string[]; frames: number[]; labels: LineLabels } | undefined;
  let hasRecords = false;
  let hasComments = false;
  const close = () => {
    if (open === undefined) return;
    const { values, addresses, frames, labels } = open;
    open = undefined;
    if (values.every((value) => value === 0)) return;
    const named =
      frames.length > 0 ? frames : addresses.map((name) => stacks.frame({ name, file: "", line: 0 }));
    stacks.add(named, values, labels);
  };
  forEachLine(text, (line, offset) => {
    if (line.length > lineLengthMax) {
      const message = `The profile has a line with more than ${lineLengthMax} characters.`;
      throw new Refusal("invalid", message, "line", offset);
    }
    const [, first, ...rest] = record.exec(line) ?? [];
    if (first !== undefined) {
      close();
      hasRecords = true;
      const numbers = [first, ...rest.slice(0, 4).filter((number) => number !== undefined)].map(Number);
      open = {
        values: kind.values(numbers).map((value) => within64Bits(value, offset)),
        addresses: (rest[4] ?? "").split(" ").filter((address) => address !== ""),
        frames: [],
        labels: {},
      };
      return;
    }
    if (open === undefined) return;
    const frame = commentedFrame(line);
    if (frame !== undefined) {
      hasComments = true;
      open.frames.push(stacks.frame(frame));
    }
    const labels = labelsLine.exec(line)?.[1];
    if (labels !== undefined) open.labels = labelsOf(labels);
  });
  close();
  if (hasRecords && !hasComments) return undefined;
  return stacks.profile(kind.sampleTypes, kind.facts);
}

/** `#\t0x4729e8\tsync.(*Mutex).Unlock+0x28\t\tsync/mutex.go:223`; a function without a name has its address only. */
function commentedFrame(line: string): LineFrame | undefined {
  if (!line.startsWith("#\t0x")) return undefined;
  const [, address = "", nameAndOffset, ...rest] = line.split("\t");
  if (nameAndOffset === undefined) return { name: address, file: "", line: 0 };
  const place = rest.at(-1) ?? "";
  const colon = place.lastIndexOf(":");
  const offset = nameAndOffset.lastIndexOf("+0x");
  return {
    name: offset < 0 ? nameAndOffset : nameAndOffset.slice(0, offset),
    file: place.slice(0, Math.max(0, colon)),
    line: Number.parseInt(place.slice(colon + 1), 10) | 0,
  };
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
