import { Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { PprofFacts, PprofStacks } from "#write/pprof-stacks.ts";
import type { MemoryRange, PprofWriter } from "#write/pprof-writer.ts";
import type { LineFrame } from "#write/stack-lines.ts";
import { MemoryMap } from "./memory-map.ts";

interface AddressPlaces {
  readonly ranges?: readonly MemoryRange[];
  /** By location, where the profile has them. */
  readonly functions?: ReadonlyMap<number, LineFrame>;
}

const halfMax = 2 ** 32;

/** The addresses in the stacks of a profile. pprof's readers show an address with its file. */
export class AddressStacks {
  readonly stacks: PprofStacks;
  readonly #limits: ReadLimits;
  /** In two halves. */
  readonly #addresses = new Tuples(2);
  readonly #sizes = new Map<bigint, number>();

  constructor(stacks: PprofStacks, limits: ReadLimits) {
    this.stacks = stacks;
    this.#limits = limits;
  }

  /** The number of the location of an address. */
  location(high: number, low: number): number {
    const location = this.#addresses.intern(high, low);
    if (location >= this.#limits.locations) throw this.stacks.tooMany("locations", "different addresses");
    return location;
  }

  /** As `location`, of the call before a return address, which is that of the next instruction. */
  locationBefore(high: number, low: number): number {
    if (low > 0) return this.location(high, low - 1);
    return this.location(high === 0 ? halfMax - 1 : high - 1, halfMax - 1);
  }

  /** The location of an address in hexadecimal digits; undefined for an address of no stack. */
  find(digits: string): number | undefined {
    const low = Number(`0x${digits.slice(-8)}`);
    const location = this.#addresses.find(Number(`0x0${digits.slice(0, -8)}`), low);
    return location < 0 ? undefined : location;
  }

  /** Whether a location is the call before the address of another one. */
  isBefore(location: number, other: number): boolean {
    return this.#addressOf(other) === this.#addressOf(location) + 1n;
  }

  #addressOf(location: number): bigint {
    return (BigInt(this.#addresses.at(location, 0)) << 32n) | BigInt(this.#addresses.at(location, 1));
  }

  /** The labels of a stack of memory: the mean size of its blocks. */
  sizeLabels(blockSize: bigint | undefined): number {
    if (blockSize === undefined) return 0;
    const known = this.#sizes.get(blockSize) ?? this.stacks.numberLabel("bytes", blockSize);
    this.#sizes.set(blockSize, known);
    return known;
  }

  /** Writes the locations, when the files of the addresses are known. */
  places({ ranges = [], functions }: AddressPlaces): Pick<PprofFacts, "locations"> {
    return {
      locations: (writer: PprofWriter) => {
        for (const range of ranges) writer.mapping(range);
        const map = new MemoryMap(ranges);
        const ids = new Uint32Array(this.#addresses.length);
        for (let location = 0; location < ids.length; location++) {
          const frame = functions?.get(location);
          const address = this.#addressOf(location);
          ids[location] =
            frame === undefined ? writer.address(address, map.idOf(address)) : writer.named(frame);
        }
        return ids;
      },
    };
  }
}
