import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { tooLong } from "#wire/output.ts";
import { type MemoryRange, PprofWriter } from "#write/pprof-writer.ts";
import type { LineFrame } from "#write/stack-lines.ts";
import { MemoryMap } from "./memory-map.ts";

export interface AddressFacts {
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly durationNs?: bigint;
  readonly defaultSampleType?: string;
  readonly ranges?: readonly MemoryRange[];
  /** By location, where the profile has them. */
  readonly functions?: ReadonlyMap<number, LineFrame>;
}

/** Collects stacks of addresses, and writes them as pprof: its readers apply the limits, and show an address with its file. */
export class AddressStacks {
  readonly #limits: ReadLimits;
  readonly #indexes = new Map<number | bigint, number>();
  readonly #addresses: bigint[] = [];
  readonly #start: number[] = [0];
  readonly #location = new GrowableUint32(1024);
  readonly #values: bigint[] = [];
  readonly #blockSizes: (bigint | undefined)[] = [];

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#start.length - 1;
  }

  /** The index of the location of an address. */
  location(address: bigint): number {
    const known = this.find(address);
    if (known !== undefined) return known;
    const { locations } = this.#limits;
    if (this.#addresses.length >= locations) throw tooMany(locations, "locations", "different addresses");
    this.#indexes.set(keyOf(address), this.#addresses.length);
    return this.#addresses.push(address) - 1;
  }

  find(address: bigint): number | undefined {
    return this.#indexes.get(keyOf(address));
  }

  addressOf(location: number): bigint | undefined {
    return this.#addresses[location];
  }

  /** @param locations leaf first */
  add(locations: ArrayLike<number>, values: readonly bigint[], blockSize?: bigint): void {
    const { samples, frames } = this.#limits;
    if (this.length >= samples) throw tooMany(samples, "samples", "samples");
    this.#location.reserve(locations.length);
    for (let i = 0; i < locations.length; i++) this.#location.push(locations[i]!);
    if (this.#location.length > frames) throw tooMany(frames, "frames", "frames in all stacks");
    this.#start.push(this.#location.length);
    this.#values.push(...values);
    this.#blockSizes.push(blockSize);
  }

  /** One more of the stack that came last. */
  repeat(): void {
    const last = this.#values.length - 1;
    if (last >= 0) this.#values[last] = this.#values[last]! + 1n;
  }

  toPprof(facts: AddressFacts): Uint8Array {
    try {
      return this.#write(facts);
    } catch (error) {
      if (error !== tooLong) throw error;
      throw new Refusal(
        "too_large",
        `The profile has more than ${this.#limits.bytes} bytes as pprof.`,
        "bytes",
        0,
      );
    }
  }

  #write(facts: AddressFacts): Uint8Array {
    const {
      sampleTypes,
      periodType,
      period,
      durationNs = 0n,
      defaultSampleType = "",
      ranges = [],
      functions,
    } = facts;
    const writer = new PprofWriter(this.#limits.bytes);
    const { out } = writer;
    for (const type of sampleTypes) writer.valueType(0x0a, type);
    for (const range of ranges) writer.mapping(range);
    const map = new MemoryMap(ranges);
    const ids = Uint32Array.from(this.#addresses, (address, location) => {
      const frame = functions?.get(location);
      return frame === undefined ? writer.address(address, map.idOf(address)) : writer.named(frame);
    });
    const locations = this.#location.take();
    const bytesKey = writer.text("bytes");
    for (let i = 0; i < this.length; i++) {
      const sample = out.open(0x12);
      const stack = out.open(0x0a);
      out.varints(ids, locations, this.#start[i]!, this.#start[i + 1]!);
      out.close(stack);
      for (let type = 0; type < sampleTypes.length; type++)
        out.bigint(0x10, this.#values[i * sampleTypes.length + type]!);
      const size = this.#blockSizes[i];
      if (size !== undefined) {
        const label = out.open(0x1a);
        out.bigint(0x08, BigInt(bytesKey));
        out.bigint(0x18, size);
        out.close(label);
      }
      out.close(sample);
    }
    writer.valueType(0x5a, periodType);
    out.bigint(0x60, period);
    out.bigint(0x50, durationNs);
    const name = writer.text(defaultSampleType);
    out.bigint(0x70, BigInt(name));
    return out.bytes.subarray(0, out.length);
  }
}

/** Numbers are found faster than bigints. */
function keyOf(address: bigint): number | bigint {
  return address <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(address) : address;
}

function tooMany(max: number, limit: "locations" | "samples" | "frames", what: string): Refusal {
  return new Refusal("too_large", `The profile has more than ${max} ${what}.`, limit, max);
}
