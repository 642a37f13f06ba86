/**
 * Finds where JSON values end, without building them. JSON.parse makes objects of whatever it is given: 16 KB of gzipped
 * brackets cost it 820 MB. Here nesting and size are bounded before it sees a value.
 *
 * Only brackets and strings are followed. A span found here that JSON.parse takes is exactly one value, and JSON.parse
 * refuses everything else.
 */
export interface JsonLimits {
  /** Objects and arrays within each other: an array of flat objects has depth 2. */
  readonly depthMax: number;
  /** Of one value. */
  readonly bytesMax: number;
}

/** Far more than any API or metric needs. */
export const jsonDepthMax = 32;

/** Why bytes are not taken as JSON, and at which byte. */
export class JsonFault extends Error {
  override readonly name = "JsonFault";
  readonly kind: "syntax" | "depth" | "size";
  readonly offset: number;

  constructor(kind: JsonFault["kind"], offset: number, message: string) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The first byte at or behind `at` that is no JSON whitespace. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  return next;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * The end of the value that begins at `start`.
 *
 * @throws JsonFault where the limits or the bytes end before the value does
 */
export function valueEnd(bytes: Uint8Array, start: number, limits: JsonLimits): number {
  const first = bytes[start];
  const stop = Math.min(bytes.length, start + limits.bytesMax);
  let end: number;
  if (first === quote) end = stringEnd(bytes, start, stop);
  else if (first === openArray || first === openObject) end = nestedEnd(bytes, start, stop, limits.depthMax);
  else end = wordEnd(bytes, start, stop);
  if (end >= 0) return end;
  if (stop < bytes.length) {
    throw new JsonFault("size", start, `a value is larger than ${limits.bytesMax} bytes`);
  }
  throw new JsonFault("syntax", start, "it ends within a value");
}

/** -1 where there is no end before `stop`. */
function nestedEnd(bytes: Uint8Array, start: number, stop: number, depthMax: number): number {
  let depth = 0;
  let at = start;
  while (at < stop) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringEnd(bytes, at, stop);
      if (at < 0) return -1;
      continue;
    }
    at++;
    if (byte === openArray || byte === openObject) {
      depth++;
      if (depth > depthMax) {
        throw new JsonFault("depth", at - 1, `objects and arrays are nested deeper than ${depthMax}`);
      }
    } else if (byte === closeArray || byte === closeObject) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function stringEnd(bytes: Uint8Array, start: number, stop: number): number {
  for (let at = start + 1; at < stop; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return -1;
}

/** A number, true, false or null; what is none of these fails in JSON.parse. The end of the bytes ends it too. */
function wordEnd(bytes: Uint8Array, start: number, stop: number): number {
  let at = start;
  while (at < stop) {
    const byte = bytes[at];
    if (byte === comma || byte === closeArray || byte === closeObject || isSpace(byte)) return at;
    at++;
  }
  return stop === bytes.length ? at : -1;
}
