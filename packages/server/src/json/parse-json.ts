import { JsonFault, type JsonLimits, skipSpace, valueEnd } from "#json/scan-json.ts";

/**
 * Parses the single value in `bytes`, which may be surrounded by whitespace.
 *
 * @throws JsonFault
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const start = skipSpace(bytes, 0);
  const end = valueEnd(bytes, start, limits);
  const value = parseSpan(bytes, start, end);
  const rest = skipSpace(bytes, end);
  if (rest < bytes.length) throw new JsonFault("syntax", rest, "unexpected data after the value");
  return value;
}

/** Parses a span that `valueEnd` found. */
export function parseSpan(bytes: Uint8Array, start: number, end: number): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", start, end);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JsonFault("syntax", start, (cause as Error).message);
  }
}
