import { type ReadLabels, sampleLabels } from "#labels/sample-labels.ts";
import { releaseScratch } from "#memory/growable.ts";
import type { ReadLimits, Trimmed } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { StackTable } from "#model/stack-table.ts";
import type { Bytes } from "#model/units.ts";
import { type ProfileHeader, readHeader } from "#read/header.ts";
import { readOutline } from "#read/outline.ts";
import { decodeStrings } from "#read/strings.ts";
import { decodeText, WireReader } from "#wire/wire-reader.ts";
import { type Assembly, isTrap, newAssembly } from "./instance.ts";

/**
 * Larger profiles are rare. Reading one takes ten times its size in memory. If the module is dropped afterwards, V8 does not
 * count its memory, so that it stays for dozens of uploads before it is collected.
 */
export const fastBytesMax = 2 * 1024 * 1024;
const memoryKeptMax = 64 * 1024 * 1024;

/** In the order of assembly/limits.ts. */
const limitNames = [
  "samples",
  "locations",
  "lines",
  "functions",
  "strings",
  "frames",
  "labels",
  "depth",
  "labelsPerSample",
  "nameBytes",
  "mappings",
] as const satisfies (keyof ReadLimits)[];

let assembly: Assembly | undefined;

export interface FastProfile extends ProfileHeader {
  readonly stacks: StackTable;
  readonly sampleCount: number;
  /** Undefined if no sample has a label, and if labels were not asked for. */
  readonly labels: ReadLabels | undefined;
}

/** A profile whose samples are summed by stack. */
export interface ProfileStacks extends FastProfile {
  readonly trimmed: Trimmed;
}

/**
 * The stacks of a profile in the form in which profilers write them, within the limits and with nothing to cut or drop;
 * undefined for any other, whether valid or broken. The columns use memory that the next call overwrites.
 */
export function readFastProfile(
  raw: Uint8Array,
  limits: ReadLimits,
  withLabels = false,
): FastProfile | undefined {
  if (raw.length > Math.min(fastBytesMax, limits.bytes)) return undefined;
  assembly ??= newAssembly();
  const { memory } = assembly;
  const found = foundIn(assembly, raw, limits, withLabels);
  if (found === "out of memory" || memory.buffer.byteLength > memoryKeptMax) assembly = undefined;
  if (typeof found !== "number") return undefined;
  return describe(memory.buffer, new Uint32Array(memory.buffer, found, wordCount), limits, withLabels);
}

/** Address of the result in memory. */
function foundIn(
  { prepare, read, result, memory }: Assembly,
  raw: Uint8Array,
  limits: ReadLimits,
  withLabels: boolean,
): number | "uncommon" | "out of memory" {
  try {
    const at = prepare(raw.length);
    new Uint8Array(memory.buffer, at).set(raw);
    const words = limitNames.map((name) => Math.min(limits[name], 2 ** 31 - 1));
    new Int32Array(memory.buffer, at - 4 * words.length).set(words);
    return read(at, raw.length, Number(withLabels)) === 0 ? "uncommon" : result();
  } catch (error) {
    if (isTrap(error)) return "out of memory";
    throw error;
  }
}

/** Layout of `result` in packages/profile/src/fast-reader/assembly/index.ts: counts, and places of columns in memory. */
const word = {
  samples: 0,
  stacks: 1,
  frames: 2,
  strings: 3,
  header: 4,
  headerBytes: 5,
  texts: 6,
  stackIds: 7,
  stackStart: 8,
  stackFrames: 9,
  values: 10,
  frameIds: 11,
  functionName: 12,
  file: 13,
  line: 14,
  startLine: 15,
  labelTotal: 16,
  rows: 17,
  rowStack: 18,
  rowSet: 19,
  rowValues: 20,
  sets: 21,
  setNode: 22,
  nodes: 23,
  nodeParent: 24,
  nodeLabel: 25,
  labelCount: 26,
  labels: 27,
} as const;
const wordCount = 28;

function describe(
  memory: ArrayBuffer,
  found: Uint32Array,
  limits: ReadLimits,
  withLabels: boolean,
): FastProfile | undefined {
  const at = (name: keyof typeof word) => found[word[name]];
  const words = (name: keyof typeof word, length: number) => new Uint32Array(memory, at(name), length);
  const bytes = new Uint8Array(memory);
  const strings = new LazyStrings(bytes, words("texts", 2 * at("strings")), limits.nameBytes);
  const fields = new Uint8Array(memory, at("header"), at("headerBytes"));
  const header = headerOf(fields, strings, limits);
  if (header === undefined || header.dropFrames !== "") return undefined;
  const { sampleTypes } = header;
  if (at("samples") * sampleTypes.length > limits.values) return undefined;
  const [sampleCount, stackCount, frameCount] = [at("samples"), at("stacks"), at("frames")];
  const names = words("functionName", frameCount);
  const files = words("file", frameCount);
  const lengthOf = (frame: number) => strings.lengthAt(names[frame]) + strings.lengthAt(files[frame]);
  // A profile has fewer strings than frames, and few are long.
  const mayBeMuch = frameCount * (textPerFrame + 2 * strings.longest()) > limits.frameText;
  if (mayBeMuch && frameText(frameCount, lengthOf) > limits.frameText) return undefined;
  const start = words("stackStart", stackCount + 1);
  const hasLabels = withLabels && at("labelTotal") > 0;
  return {
    ...header,
    sampleCount,
    labels: hasLabels ? labelsIn(memory, found, { sampleTypes, strings }) : undefined,
    stacks: {
      sampleTypes,
      frames: {
        length: frameCount,
        get functionName() {
          return strings.textsAt(names);
        },
        get file() {
          return strings.textsAt(files);
        },
        line: new Int32Array(memory, at("line"), frameCount),
        startLine: new Int32Array(memory, at("startLine"), frameCount),
        ids: words("frameIds", 2 * frameCount),
      },
      length: stackCount,
      start,
      frame: words("stackFrames", start[stackCount]),
      // A column has room for as many stacks as there are samples.
      values: sampleTypes.map(
        (_, type) => new Float64Array(memory, at("values") + 8 * type * sampleCount, stackCount),
      ),
      ids: words("stackIds", 2 * stackCount),
    },
  };
}

function labelsIn(
  memory: ArrayBuffer,
  found: Uint32Array,
  { sampleTypes, strings }: Pick<ProfileHeader, "sampleTypes"> & { readonly strings: LazyStrings },
): ReadLabels | undefined {
  const at = (name: keyof typeof word) => found[word[name]];
  const words = (name: keyof typeof word, length: number) => new Uint32Array(memory, at(name), length);
  const [length, sampleCount] = [at("rows"), at("samples")];
  const rows = {
    stack: words("rowStack", length),
    set: new Uint16Array(memory, at("rowSet"), length),
    // A column has room for as many rows as there are samples.
    values: sampleTypes.map(
      (_, type) => new Float64Array(memory, at("rowValues") + 8 * type * sampleCount, length),
    ),
  };
  const tree = {
    parent: words("nodeParent", at("nodes")),
    label: words("nodeLabel", at("nodes")),
    labels: words("labels", 4 * at("labelCount")),
    setNode: words("setNode", at("sets") + 1),
  };
  return sampleLabels(rows, tree, (string) => strings.at(string)!);
}

/** Reads all fields except samples, locations, functions and strings; undefined if they are refused. */
function headerOf(fields: Uint8Array, strings: LazyStrings, limits: ReadLimits): ProfileHeader | undefined {
  const wire = new WireReader(fields);
  try {
    const outline = readOutline(wire, limits);
    return readHeader(wire, outline, strings);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  } finally {
    releaseScratch();
  }
}

/** Characters of a frame without its names: its line and the ids under which it is stored. */
const textPerFrame = 32;

/**
 * Characters of text of `count` distinct frames. Each frame is stored with its full names, even if many frames share them. `lengthOf`: of a frame's function name and file.
 */
export function frameText(count: number, lengthOf: (frame: number) => number): number {
  let text = textPerFrame * count;
  for (let frame = 0; frame < count; frame++) text += lengthOf(frame);
  return text;
}

/** A string table that is decoded on demand: most profiles contain no new frame. */
class LazyStrings {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #spans: Uint32Array;
  readonly #nameBytes: Bytes;
  #all: readonly string[] | undefined;
  readonly #texts = new Map<Uint32Array, readonly string[]>();

  /** `spans`: starts and ends in `bytes`; no string is longer than `nameBytes`. */
  constructor(bytes: Uint8Array, spans: Uint32Array, nameBytes: Bytes) {
    this.length = spans.length / 2;
    this.#bytes = bytes;
    this.#spans = spans;
    this.#nameBytes = nameBytes;
  }

  at(index: number): string | undefined {
    if (index >= this.length) return undefined;
    return decodeText(this.#bytes.subarray(this.#spans[2 * index], this.#spans[2 * index + 1]));
  }

  /** Length of a string, in bytes. */
  lengthAt(index: number): number {
    return this.#spans[2 * index + 1] - this.#spans[2 * index];
  }

  /** Size of all strings in bytes. */
  longest(): number {
    let longest = 0;
    for (let index = 0; index < this.length; index++) longest = Math.max(longest, this.lengthAt(index));
    return longest;
  }

  /** The strings that a column names, the same list each time. */
  textsAt(column: Uint32Array): readonly string[] {
    const cached = this.#texts.get(column);
    if (cached !== undefined) return cached;
    this.#all ??= decodeStrings(this.#bytes, this.#spans, this.#nameBytes).strings;
    // `Array.from` takes ten times as long.
    const texts = new Array<string>(column.length);
    for (let i = 0; i < column.length; i++) texts[i] = this.#all[column[i]];
    this.#texts.set(column, texts);
    return texts;
  }
}
