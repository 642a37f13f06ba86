// Apart from the rest of the format, so that pages without a graph can start to read one.
import { ByteReader, FlameGraphFormatError } from "./byte-reader.ts";
import { magic, section } from "./sections.ts";

/**
 * The preview in the first bytes of a graph: a separate file, which `decodeFlameGraph` reads. Undefined while some of it is missing, and for
 * bytes that have none.
 */
export function previewIn(start: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const place = placeOfPreview(start);
  return place !== undefined && place.end <= start.length ? start.slice(place.from, place.end) : undefined;
}

/**
 * How many bytes of a graph have its preview, so that fewer need not be looked at: 0 where these say nothing about it yet, Infinity for a
 * graph that has none.
 */
export function previewEnd(start: Uint8Array): number {
  return placeOfPreview(start)?.end ?? 0;
}

/** Undefined while the lengths of the sections are missing, and for other bytes. */
function placeOfPreview(start: Uint8Array): { readonly from: number; readonly end: number } | undefined {
  try {
    const reader = new ByteReader(start);
    const [first] = readLengths(reader);
    const from = reader.offset;
    return { from, end: first?.[0] === section.preview ? from + first[1] : Number.POSITIVE_INFINITY };
  } catch (error) {
    if (error instanceof FlameGraphFormatError) return undefined;
    throw error;
  }
}

/** The ids and lengths of the sections of a file, in their order. */
export function readLengths(reader: ByteReader): readonly (readonly [id: number, length: number])[] {
  const head = reader.remaining < magic.length ? [] : reader.bytes(magic.length);
  if (head.length === 0 || head.some((byte, at) => byte !== magic[at])) {
    return reader.fail("no flame graph header of version 3");
  }
  const lengths: [id: number, length: number][] = [];
  for (let count = reader.count(); count > 0; count--) lengths.push([reader.varint(), reader.varint()]);
  return lengths;
}
