import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { AddressStacks } from "./address-stacks.ts";
import { javaFunctions } from "./java-functions.ts";
import { readMemoryMap } from "./memory-map.ts";

/**
 * The binary CPU profile of gperftools: words of 32 or 64 bits in either byte order.
 *
 * ```
 * 0  3  0  microseconds between samples  0      the third is 1 in profiles of Java
 * count  length  address ...                    leaf first
 * 0  1  0                                       the end; then the mappings as text, or the functions of Java
 * ```
 *
 * Addresses are moved to the call before them, and frames that the profiler itself added are removed, as google/pprof does.
 */
export function readLegacyCpu(bytes: Uint8Array, limits: ReadLimits): Uint8Array {
  const words = new Words(bytes);
  const [, , version, microseconds] = words.header;
  const isJava = version === 1n;
  const samples = readSamples(words, isJava, limits);
  const text = decodeText(bytes.subarray(words.at));
  const stacks = new AddressStacks(limits);
  const period = microseconds! * 1000n;
  if (!isJava) removeHandlers(samples);
  const locations: number[] = [];
  for (const sample of samples) {
    const { count, length } = sample;
    if (count * period >= 1n << 63n) {
      throw new Refusal("invalid", "The profile has a value that does not fit 64 bits.", "sample", 0);
    }
    locations.length = 0;
    for (let place = 0; place < length; place++) locations.push(stacks.location(sample.addressAt(place)!));
    stacks.add(locations, [count, count * period]);
  }
  return stacks.toPprof({
    sampleTypes: [{ type: "samples", unit: "count" }, cpu],
    periodType: cpu,
    period,
    ...(isJava ? { functions: javaFunctions(text, stacks) } : { ranges: readMemoryMap(text, limits) }),
  });
}

const cpu: ValueType = { type: "cpu", unit: "nanoseconds" };

/** Eight zeros, or four, are the first word; the 3 is at the end of the second one that its byte order says. */
export function isLegacyCpu(bytes: Uint8Array): boolean {
  return layoutOf(bytes) !== undefined;
}

interface Layout {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
}

const layouts: readonly Layout[] = [
  { size: 4, isLittle: true },
  { size: 4, isLittle: false },
  { size: 8, isLittle: true },
  { size: 8, isLittle: false },
];

function layoutOf(bytes: Uint8Array): Layout | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return layouts.find((layout) => {
    if (bytes.length < 5 * layout.size) return false;
    const [first, second, third, fourth, fifth] = Array.from({ length: 5 }, (_, at) =>
      wordAt(view, at * layout.size, layout),
    );
    return first === 0n && second === 3n && third! <= 1n && fourth! > 0n && fifth === 0n;
  });
}

function wordAt(view: DataView, at: number, { size, isLittle }: Layout): bigint {
  return size === 8 ? view.getBigUint64(at, isLittle) : BigInt(view.getUint32(at, isLittle));
}

class Words {
  at = 0;
  readonly header: readonly bigint[];
  readonly #view: DataView;
  readonly #layout: Layout;

  constructor(bytes: Uint8Array) {
    const layout = layoutOf(bytes);
    if (layout === undefined) throw cutOff(0);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#layout = layout;
    this.header = Array.from({ length: 5 }, () => this.next());
  }

  get left(): number {
    return Math.floor((this.#view.byteLength - this.at) / this.#layout.size);
  }

  next(): bigint {
    if (this.left < 1) throw cutOff(this.at);
    const word = this.wordBehind(this.at, 0);
    this.skip(1);
    return word;
  }

  wordBehind(at: number, words: number): bigint {
    return wordAt(this.#view, at + words * this.#layout.size, this.#layout);
  }

  skip(words: number): void {
    this.at += words * this.#layout.size;
  }
}

function cutOff(at: number): Refusal {
  const message = "The legacy CPU profile is cut off or damaged: a stack is longer than what follows.";
  return new Refusal("malformed", message, "sample", at);
}

/** A stack with its count. Its addresses stay in the file: as bigints they take many times its size. */
class Sample {
  readonly count: bigint;
  length: number;
  readonly #words: Words;
  readonly #at: number;
  readonly #isJava: boolean;
  #removed = 0;

  /** Reads the words that come next. */
  constructor(words: Words, isJava: boolean) {
    const { at } = words;
    this.count = words.next();
    const length = words.next();
    if (length > BigInt(words.left)) throw cutOff(at);
    this.length = Number(length);
    this.#words = words;
    this.#at = words.at;
    this.#isJava = isJava;
    words.skip(this.length);
  }

  /** Return addresses are those of the next instruction. The leaf, at place 0, is where the program was interrupted. */
  addressAt(place: number): bigint | undefined {
    if (place >= this.length) return undefined;
    if (place === 0) return this.#words.wordBehind(this.#at, 0);
    const address = this.#words.wordBehind(this.#at, place + this.#removed);
    return this.#isJava ? address : BigInt.asUintN(64, address - 1n);
  }

  /** Removes the frame behind the leaf. */
  removeCaller(): void {
    this.length--;
    this.#removed++;
  }
}

function readSamples(words: Words, isJava: boolean, limits: ReadLimits): Sample[] {
  const samples: Sample[] = [];
  let frames = 0;
  while (words.left > 0) {
    const sample = new Sample(words, isJava);
    if (sample.count === 0n && sample.length === 1 && sample.addressAt(0) === 0n) break;
    frames += sample.length;
    if (frames > limits.frames || samples.length >= limits.samples) {
      const field = frames > limits.frames ? "frames" : "samples";
      throw new Refusal(
        "too_large",
        `The profile has more than ${limits[field]} ${field}.`,
        field,
        limits[field],
      );
    }
    samples.push(sample);
  }
  return samples;
}

/** One sample in so many may lack a frame that the profiler added. */
const similarSamples = 32;

/** Removes up to two frames behind the leaf that nearly all stacks have: the signal handler's; then a leaf that is there twice. */
function removeHandlers(samples: readonly Sample[]): void {
  for (let round = 0; round < 2; round++) {
    const counts = new Map<bigint, number>();
    for (const sample of samples) {
      const caller = sample.addressAt(1);
      if (caller !== undefined) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    }
    const enough = samples.length - Math.floor(samples.length / similarSamples);
    const handler = [...counts].find(([, count]) => count >= enough)?.[0];
    if (handler === undefined) break;
    for (const sample of samples) if (sample.addressAt(1) === handler) sample.removeCaller();
  }
  for (const sample of samples) {
    const caller = sample.addressAt(1);
    if (caller !== undefined && sample.addressAt(0) === caller + 1n) sample.removeCaller();
  }
}
