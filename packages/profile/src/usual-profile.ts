import { assemblyBytes } from "./assembly-bytes.ts";
import { LazyStrings } from "./lazy-strings.ts";
import type { ReadLimits } from "./limits.ts";
import { Refusal } from "./profile-error.ts";
import { type ProfileHeader, readHeader } from "./read-header.ts";
import { readOutline } from "./read-outline.ts";
import { releaseScratch } from "./scratch.ts";
import type { StackTable } from "./stacks.ts";
import { type Assembly, assemblyOf, isTrap } from "./web-assembly.ts";
import { WireReader } from "./wire-reader.ts";

/** Larger profiles are rare, and their memory would be kept. */
const bytesMax = 16 * 1024 * 1024;
const memoryKeptMax = 64 * 1024 * 1024;

/** As assembly/limits.ts takes them. */
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

export interface UsualProfile extends ProfileHeader {
  readonly stacks: StackTable;
  readonly sampleCount: number;
}

/**
 * The stacks of a profile in the form in which profilers write them, within the limits and with nothing to cut or drop;
 * undefined for any other, be it unusual or broken. The columns lie in memory that the next call uses again.
 */
export function readUsualProfile(raw: Uint8Array, limits: ReadLimits): UsualProfile | undefined {
  if (raw.length > Math.min(bytesMax, limits.bytes)) return undefined;
  assembly ??= assemblyOf(assemblyBytes);
  const { memory } = assembly;
  const found = foundIn(assembly, raw, limits);
  if (found === "out of memory" || memory.buffer.byteLength > memoryKeptMax) assembly = undefined;
  if (typeof found !== "number") return undefined;
  return describe(memory.buffer, new Uint32Array(memory.buffer, found, 16), limits);
}

/** Where what was found stands in memory. */
function foundIn(
  { prepare, read, result, memory }: Assembly,
  raw: Uint8Array,
  limits: ReadLimits,
): number | "unusual" | "out of memory" {
  try {
    const at = prepare(raw.length);
    new Uint8Array(memory.buffer, at).set(raw);
    const words = limitNames.map((name) => Math.min(limits[name], 2 ** 31 - 1));
    new Int32Array(memory.buffer, at - 4 * words.length).set(words);
    return read(at, raw.length) === 0 ? "unusual" : result();
  } catch (error) {
    if (isTrap(error)) return "out of memory";
    throw error;
  }
}

function describe(memory: ArrayBuffer, found: Uint32Array, limits: ReadLimits): UsualProfile | undefined {
  const [sampleCount, stackCount, frameCount, stringCount] = found as unknown as number[];
  const words = (index: number, length: number) => new Uint32Array(memory, found[index], length);
  const strings = new LazyStrings(new Uint8Array(memory), words(6, 2 * stringCount!), limits.nameBytes);
  const header = headerOf(new Uint8Array(memory, found[4], found[5]), strings, limits);
  if (header === undefined || header.dropFrames !== "") return undefined;
  const names = words(12, frameCount!);
  const files = words(13, frameCount!);
  const start = words(8, stackCount! + 1);
  return {
    ...header,
    sampleCount: sampleCount!,
    stacks: {
      sampleTypes: header.sampleTypes,
      frames: {
        length: frameCount!,
        get functionName() {
          return strings.textsAt(names);
        },
        get file() {
          return strings.textsAt(files);
        },
        line: new Int32Array(memory, found[14], frameCount),
        startLine: new Int32Array(memory, found[15], frameCount),
        ids: words(11, 2 * frameCount!),
      },
      length: stackCount!,
      start,
      frame: words(9, start[stackCount!]!),
      values: header.sampleTypes.map(
        (_, type) => new Float64Array(memory, found[10]! + 8 * type * sampleCount!, stackCount),
      ),
      ids: words(7, 2 * stackCount!),
    },
  };
}

/** Of the fields that are no samples, locations, functions or strings; undefined where they are refused. */
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
