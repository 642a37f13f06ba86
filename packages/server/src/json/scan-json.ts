/**
 * Finds the end of JSON values without building them. JSON.parse builds objects for any input: 16 KB of gzipped brackets
 * cost it 820 MB. The scanner bounds nesting and size before JSON.parse runs.
 *
 * It follows only brackets and strings. If JSON.parse accepts a span that was found here, the span is exactly one value;
 * JSON.parse refuses all other spans.
 */
export interface JsonLimits {
  /** The depth of nested objects and arrays: an array of flat objects has depth 2. */
  readonly depthMax: number;
  /** The size of one value. */
  readonly bytesMax: number;
}

/** More than any API or metric needs. */
export const jsonDepthMax = 32;

/** The reason and the offset at which bytes are refused as JSON. */
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

export const quote = 0x22;
export const comma = 0x2c;
const backslash = 0x5c;
export const openArray = 0x5b;
export const closeArray = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;

/** The offset of the first byte at or after `at` that is not JSON whitespace. */
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
 * @throws JsonFault if the value exceeds the limits or is incomplete
 */
export function valueEnd(bytes: Uint8Array, start: number, limits: JsonLimits): number {
  const first = bytes[start];
  const stop = Math.min(bytes.length, start + limits.bytesMax);
  let end: number;
  if (first === quote) end = stringEnd(bytes, start, stop);
  else if (first === openArray || first === openObject) end = nestedEnd(bytes, start, stop, limits.depthMax);
  else end = literalEnd(bytes, start, stop);
  if (end >= 0) return end;
  if (stop < bytes.length) {
    throw new JsonFault("size", start, `a value is larger than ${limits.bytesMax} bytes`);
  }
  throw new JsonFault("syntax", start, "it ends within a value");
}

/** The end of an object or array; -1 if there is none before `stop`. */
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

/** The end of a number, true, false or null; anything else fails in JSON.parse. It may end with the bytes. */
function literalEnd(bytes: Uint8Array, start: number, stop: number): number {
  let at = start;
  while (at < stop) {
    const byte = bytes[at];
    if (byte === comma || byte === closeArray || byte === closeObject || isSpace(byte)) return at;
    at++;
  }
  return stop === bytes.length ? at : -1;
}
