import { parseJson, parseSpan } from "#json/parse-json.ts";
import {
  closeArray,
  closeObject,
  comma,
  JsonFault,
  type JsonLimits,
  openArray,
  openObject,
  quote,
  skipSpace,
  valueEnd,
} from "#json/scan-json.ts";

const newline = 0x0a;
const colon = 0x3a;

/**
 * Yields the records of a batch: the elements of an array, of an array in a member of an object (`{ "metrics": [...] }`),
 * the lines of NDJSON, or a single record. At most one record is in memory. The limits apply to each record.
 *
 * @throws JsonFault
 */
export function* jsonRecords(bytes: Uint8Array, member: string, limits: JsonLimits): Generator<unknown> {
  const start = skipSpace(bytes, byteOrderMarkEnd(bytes));
  const array = bytes[start] === openArray ? start : arrayInMember(bytes, start, member, limits);
  if (array === undefined) {
    yield* lines(bytes, start, limits);
    return;
  }
  const end = yield* elements(bytes, array, limits);
  if (array > start) {
    closeObjectAround(bytes, { start, array, end }, member, limits);
    return;
  }
  const rest = skipSpace(bytes, end);
  if (rest < bytes.length) throw new JsonFault("syntax", rest, "unexpected data after the array");
}

function byteOrderMarkEnd(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Returns the end of the array. */
function* elements(bytes: Uint8Array, array: number, limits: JsonLimits): Generator<unknown, number> {
  let at = skipSpace(bytes, array + 1);
  if (bytes[at] === closeArray) return at + 1;
  for (;;) {
    const end = valueEnd(bytes, at, limits);
    yield parseSpan(bytes, at, end);
    at = skipSpace(bytes, end);
    if (bytes[at] === closeArray) return at + 1;
    if (bytes[at] !== comma) throw new JsonFault("syntax", at, "a comma or ] is missing");
    at = skipSpace(bytes, at + 1);
  }
}

function* lines(bytes: Uint8Array, start: number, limits: JsonLimits): Generator<unknown> {
  let at = start;
  while (at < bytes.length) {
    const end = valueEnd(bytes, at, limits);
    yield parseSpan(bytes, at, end);
    at = skipSpace(bytes, end);
    const isNextLine = bytes.subarray(end, at).includes(newline);
    if (at < bytes.length && !isNextLine) {
      throw new JsonFault("syntax", at, "unexpected data after the value");
    }
  }
}

/** The offset of the array in the member; undefined if the value at `start` has no such member. */
function arrayInMember(
  bytes: Uint8Array,
  start: number,
  member: string,
  limits: JsonLimits,
): number | undefined {
  if (bytes[start] !== openObject) return undefined;
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] === quote && at - start < limits.bytesMax) {
    const keyEnd = valueEnd(bytes, at, limits);
    const isWanted = parseSpan(bytes, at, keyEnd) === member;
    const between = skipSpace(bytes, keyEnd);
    if (bytes[between] !== colon) return undefined;
    const value = skipSpace(bytes, between + 1);
    if (isWanted && bytes[value] === openArray) return value;
    at = skipSpace(bytes, valueEnd(bytes, value, limits));
    if (bytes[at] !== comma) return undefined;
    at = skipSpace(bytes, at + 1);
  }
  return undefined;
}

/** Checks that the text around the array is an object, by parsing it with null in place of the array. */
function closeObjectAround(
  bytes: Uint8Array,
  { start, array, end }: { start: number; array: number; end: number },
  member: string,
  limits: JsonLimits,
): void {
  const close = Buffer.of(closeObject);
  const before = Buffer.concat([bytes.subarray(start, array), Buffer.from("null"), close]);
  parseJson(before, limits);
  const behind = Buffer.concat([Buffer.from('{"":null'), bytes.subarray(end)]);
  const rest = parseJson(behind, { ...limits, bytesMax: limits.bytesMax + 8 });
  if (Object.hasOwn(rest as object, member)) {
    throw new JsonFault("syntax", end, `${JSON.stringify(member)} occurs twice`);
  }
}
