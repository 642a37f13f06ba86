import { hash } from "node:crypto";
import { ReadRefusal, type WireReader } from "@flamekeep/profile";
import type { SentPoint } from "#ingest/upload/histogram.ts";
import { millisecondsOf, numberOf } from "./http-messages.ts";
import type { KnownAttributes } from "./known-attributes.ts";

/** Far more than instrumentation sends: 14 bounds, 160 exponential buckets, and about ten attributes. */
const [bucketsMax, attributesMax] = [1000, 128];
/** The flag of a point that only says that its series has ended. */
const noValue = 1;

/** The specification's limits of the scale. */
const [scaleMin, scaleMax] = [-10, 20];

type Form = "explicit" | "exponential";

/** Field numbers of `HistogramDataPoint` and `ExponentialHistogramDataPoint` (opentelemetry-proto 1.x), as tags. */
const tags = {
  explicit: { attributes: 0x4a, min: 0x59, max: 0x61 },
  exponential: { attributes: 0x0a, min: 0x61, max: 0x69 },
} as const;
const [startTag, timeTag, countsTag, countTag, boundsTag, boundTag] = [0x11, 0x19, 0x32, 0x31, 0x3a, 0x39];
const [scaleTag, zeroTag, positiveTag, flagsTag] = [0x30, 0x39, 0x42, 0x50];

/** Reads data points; the attributes that are known stay in the given ones until the next point. */
export class PointReader {
  readonly #wire: WireReader;
  readonly #view: DataView;
  readonly #attributes: KnownAttributes;

  constructor(wire: WireReader, attributes: KnownAttributes) {
    const { buffer, byteOffset, byteLength } = wire.bytes;
    this.#wire = wire;
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#attributes = attributes;
  }

  /** @returns also the exact start, and digests of all attributes in an order that does not depend on the sender's */
  read(end: number, form: Form): SentPoint & { readonly start: string; readonly attributes: string } {
    const wire = this.#wire;
    this.#attributes.clear();
    const hashes: string[] = [];
    const buckets = new SentBuckets();
    let [start, time, startMs, timeMs] = ["", "", 0, 0];
    const range: { min?: number; max?: number } = {};
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === tags[form].attributes) {
        const stop = wire.block(end, "data_points.attributes");
        checkAttributes(hashes.length, wire.pos);
        hashes.push(hash("sha256", wire.bytes.subarray(wire.pos, stop), "base64"));
        this.#attributes.read(stop);
        wire.pos = stop;
      } else if (tag === startTag) {
        wire.fixed64(end, "data_points.start_time_unix_nano");
        [start, startMs] = [`${wire.hi}.${wire.lo}`, millisecondsOf(wire.lo, wire.hi)];
      } else if (tag === timeTag) {
        wire.fixed64(end, "data_points.time_unix_nano");
        [time, timeMs] = [`${wire.hi}.${wire.lo}`, millisecondsOf(wire.lo, wire.hi)];
      } else if (tag === tags[form].min) range.min = this.#double(end);
      else if (tag === tags[form].max) range.max = this.#double(end);
      else if (tag === flagsTag) buckets.hasValue = (this.#varint(end) & noValue) === 0;
      else this.#readBuckets(tag, end, form, buckets);
    }
    const { distribution, fault, missing } = buckets.distribution(form);
    const known = Object.fromEntries(Object.entries(range).filter(([, value]) => Number.isFinite(value)));
    const attributes = hashes.sort().join();
    // The data model's mark of a start that is not known.
    if (start === time) startMs = 0;
    const faults = { ...(fault && { fault }), ...(missing && { missing }) };
    return { startMs, timeMs, distribution, ...known, ...faults, start, attributes };
  }

  #readBuckets(tag: number, end: number, form: Form, buckets: SentBuckets): void {
    const wire = this.#wire;
    if (form === "exponential") {
      if (tag === scaleTag) buckets.scale = this.#zigzag(end);
      else if (tag === zeroTag) buckets.zeros = this.#count(end);
      else if (tag === positiveTag) this.#readExponential(wire.block(end, "data_points.positive"), buckets);
      else wire.other(tag, end, "data_points", []);
    } else if (tag === countTag) buckets.addCount(this.#count(end));
    else if (tag === boundTag) buckets.addBound(this.#double(end));
    else if (tag === countsTag || tag === boundsTag) {
      const stop = wire.block(end, "data_points.bucket_counts");
      while (wire.pos < stop) {
        if (tag === countsTag) buckets.addCount(this.#count(stop));
        else buckets.addBound(this.#double(stop));
      }
    } else wire.other(tag, end, "data_points", []);
  }

  #readExponential(end: number, buckets: SentBuckets): void {
    const wire = this.#wire;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) buckets.offset = this.#zigzag(end);
      else if (tag === 0x10) buckets.addCount(this.#varint(end));
      else if (tag === 0x12) {
        const stop = wire.block(end, "data_points.bucket_counts");
        while (wire.pos < stop) buckets.addCount(this.#varint(stop));
      } else wire.other(tag, end, "data_points", []);
    }
  }

  #varint(end: number): number {
    this.#wire.varint(end);
    return numberOf(this.#wire.lo, this.#wire.hi);
  }

  #count(end: number): number {
    this.#wire.fixed64(end, "data_points.bucket_counts");
    return numberOf(this.#wire.lo, this.#wire.hi);
  }

  #double(end: number): number {
    const at = this.#wire.pos;
    this.#wire.fixed64(end, "data_points.explicit_bounds");
    return this.#view.getFloat64(at, true);
  }

  /** A signed number of 32 bits. */
  #zigzag(end: number): number {
    this.#wire.varint(end);
    return (this.#wire.lo >>> 1) ^ -(this.#wire.lo & 1);
  }
}

/** @throws ReadRefusal if there are as many already as a point, scope or resource may have */
export function checkAttributes(count: number, offset: number): void {
  if (count < attributesMax) return;
  const message = `A data point, scope or resource has more than ${attributesMax} attributes.`;
  throw new ReadRefusal("too_large", message, "attributes", offset);
}

/** The buckets of a point while it is read. */
class SentBuckets {
  readonly #counts: number[] = [];
  readonly #bounds: number[] = [];
  #isTooLong = false;
  hasValue = true;
  scale = 0;
  offset = 0;
  zeros = 0;

  addCount(count: number): void {
    this.#add(this.#counts, count);
  }

  addBound(bound: number): void {
    this.#add(this.#bounds, bound);
  }

  #add(list: number[], value: number): void {
    if (list.length <= bucketsMax) list.push(value);
    else this.#isTooLong = true;
  }

  distribution(form: Form): Pick<SentPoint, "distribution" | "fault" | "missing"> {
    const none = { layout: 0, counts: new Map<number, number>() };
    if (!this.hasValue) return { distribution: none, missing: "value" };
    if (this.#isTooLong)
      return { distribution: none, fault: `has more than ${bucketsMax} buckets: send fewer` };
    if (form === "explicit" && this.#bounds.length === 0 && this.#counts.length <= 1)
      return { distribution: none, missing: "buckets" };
    return this.#distribution(form);
  }

  #distribution(form: Form): Pick<SentPoint, "distribution" | "fault"> {
    const { scale, offset, zeros } = this;
    const [counts, bounds] = [this.#counts, this.#bounds];
    const first = form === "exponential" ? offset : 0;
    const filled = new Map<number, number>();
    for (const [at, count] of counts.entries()) if (count > 0) filled.set(first + at, count);
    if (form === "exponential") {
      if (zeros > 0) filled.set(Number.NEGATIVE_INFINITY, zeros);
      const isKnown = scale >= scaleMin && scale <= scaleMax;
      const fault = `has the scale ${scale}: send one from ${scaleMin} to ${scaleMax}`;
      return { distribution: { layout: scale, counts: filled }, ...(!isKnown && { fault }) };
    }
    const distribution = { layout: bounds, counts: filled };
    const isAscending = bounds.every(
      (bound, at) => Number.isFinite(bound) && (at === 0 || bound > bounds[at - 1]!),
    );
    if (bounds.length > 0 && isAscending && counts.length === bounds.length + 1) return { distribution };
    return {
      distribution,
      fault: "has invalid buckets: send ascending explicit bounds, and one more bucket count than bounds",
    };
  }
}
