import { GrowableUint32 } from "#memory/growable.ts";
import { Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { pprofOf } from "#write/pprof-stacks.ts";
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
  return pprofOf(limits, (stacks) => {
    const words = new Words(bytes);
    const isJava = words.low(2) === 1;
    const period = words.bigint(3) * 1000n;
    const samples = new Samples(words, isJava);
    const text = decodeText(bytes.subarray(samples.read(limits)));
    if (!isJava) samples.removeHandlers();
    const addresses = new AddressStacks(stacks, limits);
    const locations = new GrowableUint32(64);
    for (let sample = 0; sample < samples.length; sample++) {
      const count = samples.count(sample);
      if (count * period >= 1n << 63n) {
        throw new Refusal("invalid", "The profile has a value that does not fit 64 bits.", "sample", 0);
      }
      for (let place = 0; samples.find(sample, place); place++)
        locations.push(addresses.location(samples.high, samples.low));
      stacks.add(locations.filled(), [count, count * period]);
      locations.clear();
    }
    const places = isJava
      ? { functions: javaFunctions(text, addresses) }
      : { ranges: readMemoryMap(text, limits) };
    const sampleTypes = [{ type: "samples", unit: "count" }, cpu];
    return { sampleTypes, periodType: cpu, period, ...addresses.places(places) };
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
const headerWords = 5;

function layoutOf(bytes: Uint8Array): Layout | undefined {
  return layouts.find((layout) => {
    if (bytes.length < headerWords * layout.size) return false;
    const words = new Words(bytes, layout);
    const [first, second, third, fourth, fifth] = [0, 1, 2, 3, 4].map((word) => words.bigint(word));
    return first === 0n && second === 3n && third! <= 1n && fourth! > 0n && fifth === 0n;
  });
}

/** The words of a profile, in halves of 32 bits. */
class Words {
  readonly size: 4 | 8;
  readonly length: number;
  readonly #isLittle: boolean;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, layout = layoutOf(bytes)) {
    if (layout === undefined) throw cutOff(0);
    this.size = layout.size;
    this.#isLittle = layout.isLittle;
    this.length = Math.floor(bytes.length / layout.size);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  low(word: number): number {
    const isBehind = this.size === 8 && !this.#isLittle;
    return this.#view.getUint32(word * this.size + (isBehind ? 4 : 0), this.#isLittle);
  }

  high(word: number): number {
    return this.size === 4 ? 0 : this.#view.getUint32(word * 8 + (this.#isLittle ? 4 : 0), this.#isLittle);
  }

  bigint(word: number): bigint {
    return (BigInt(this.high(word)) << 32n) | BigInt(this.low(word));
  }
}

function cutOff(at: number): Refusal {
  const message = "The legacy CPU profile is cut off or damaged: a stack is longer than what follows.";
  return new Refusal("malformed", message, "sample", at);
}

/** One sample in so many may lack a frame that the profiler added. */
const similarSamples = 32;
const halfMax = 2 ** 32 - 1;

/** The stacks of a profile. Their addresses stay in the file. */
class Samples {
  /** The address that `find` found. */
  high = 0;
  low = 0;
  readonly #words: Words;
  readonly #isJava: boolean;
  /** Three numbers each: the word of the count, the number of addresses, and how many were removed behind the leaf. */
  readonly #samples = new GrowableUint32(3072);

  constructor(words: Words, isJava: boolean) {
    this.#words = words;
    this.#isJava = isJava;
  }

  get length(): number {
    return this.#samples.length / 3;
  }

  count(sample: number): bigint {
    return this.#words.bigint(this.#samples.array[3 * sample]);
  }

  /** Returns where the stacks end in the file. */
  read(limits: ReadLimits): number {
    const words = this.#words;
    let frames = 0;
    let at = headerWords;
    while (at < words.length) {
      if (at + 1 >= words.length) throw cutOff((at + 1) * words.size);
      const length = words.high(at + 1) * 2 ** 32 + words.low(at + 1);
      if (length > words.length - at - 2) throw cutOff(at * words.size);
      const next = at + 2 + length;
      if (length === 1 && [at, at + 2].every((word) => words.low(word) === 0 && words.high(word) === 0))
        return next * words.size;
      frames += length;
      if (frames > limits.frames || this.length >= limits.samples) {
        const field = frames > limits.frames ? "frames" : "samples";
        const message = `The profile has more than ${limits[field]} ${field}.`;
        throw new Refusal("too_large", message, field, limits[field]);
      }
      this.#samples.push(at);
      this.#samples.push(length);
      this.#samples.push(0);
      at = next;
    }
    return at * words.size;
  }

  /** Finds the address at a place of a stack. Return addresses are those of the next instruction. The leaf, at place 0, is where the program was interrupted. */
  find(sample: number, place: number): boolean {
    const at = 3 * sample;
    const { array } = this.#samples;
    if (place >= array[at + 1]) return false;
    const word = array[at] + 2 + (place === 0 ? 0 : place + array[at + 2]);
    this.low = this.#words.low(word);
    this.high = this.#words.high(word);
    if (place === 0 || this.#isJava) return true;
    if (this.low === 0) this.high = this.high === 0 ? halfMax : this.high - 1;
    this.low = this.low === 0 ? halfMax : this.low - 1;
    return true;
  }

  /** Removes up to two frames behind the leaf that nearly all stacks have: the signal handler's; then a leaf that is there twice. */
  removeHandlers(): void {
    for (let round = 0; round < 2; round++) {
      const handler = this.#commonCaller();
      if (handler === undefined) break;
      for (let sample = 0; sample < this.length; sample++)
        if (this.find(sample, 1) && this.high === handler[0] && this.low === handler[1])
          this.#removeCaller(sample);
    }
    for (let sample = 0; sample < this.length; sample++) {
      if (!this.find(sample, 1)) continue;
      const [high, low] = this.low === halfMax ? [this.high + 1, 0] : [this.high, this.low + 1];
      this.find(sample, 0);
      if (this.high === high && this.low === low) this.#removeCaller(sample);
    }
  }

  #removeCaller(sample: number): void {
    this.#samples.array[3 * sample + 1]--;
    this.#samples.array[3 * sample + 2]++;
  }

  #commonCaller(): readonly [number, number] | undefined {
    const callers = new Tuples(2);
    const counts: number[] = [];
    for (let sample = 0; sample < this.length; sample++) {
      if (!this.find(sample, 1)) continue;
      const caller = callers.intern(this.high, this.low);
      counts[caller] = (counts[caller] ?? 0) + 1;
    }
    const enough = this.length - Math.floor(this.length / similarSamples);
    const common = counts.findIndex((count) => count >= enough);
    return common < 0 ? undefined : [callers.at(common, 0), callers.at(common, 1)];
  }
}
