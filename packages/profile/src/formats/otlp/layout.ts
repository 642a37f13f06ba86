import type { GrowableUint32 } from "#memory/growable.ts";
import type { WireReader } from "#wire/wire-reader.ts";

/** Tags (field number and wire type) of `Sample`, which differ between versions of the protocol. */
export interface SampleTags {
  readonly attributes: number;
  readonly link: number;
  readonly values: number;
}

const current: SampleTags = { attributes: 0x12, link: 0x18, values: 0x22 };
export const layout18: SampleTags = { attributes: 0x1a, link: 0x20, values: 0x12 };

/** The layout of the first sample that shows it. */
export function tagsOf(wire: WireReader, profiles: readonly { readonly samples: Uint32Array }[]): SampleTags {
  for (const { samples } of profiles) {
    for (let i = 0; i < samples.length; i += 2) {
      const layout = layoutOf(wire, samples[i], samples[i + 1]);
      if (layout !== undefined) return layout;
    }
  }
  return current;
}

/** The layout that has the fields of a sample in their form; undefined if both have. */
function layoutOf(wire: WireReader, start: number, end: number): SampleTags | undefined {
  let hasList = false;
  let hasTimes = false;
  wire.pos = start;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === current.values || tag === current.link) return current;
    if (tag === layout18.attributes || tag === layout18.link) return layout18;
    if (tag === 0x12) hasList = true;
    if (tag === 0x2a) hasTimes = true;
    wire.other(tag, end, "sample", []);
  }
  // Without times a sample has values.
  return hasList && !hasTimes ? layout18 : undefined;
}

/** Reads a list of numbers, packed or one by one. Numbers beyond 32 bits become the greatest one, which no table has. */
export function readIndexes(wire: WireReader, tag: number, end: number, into: GrowableUint32): void {
  const stop = (tag & 7) === 2 ? wire.block(end, "indices") : end;
  do {
    if (wire.pos >= stop) break;
    wire.varint(stop);
    into.push(wire.hi === 0 ? wire.lo : 0xffffffff);
  } while ((tag & 7) === 2);
}
