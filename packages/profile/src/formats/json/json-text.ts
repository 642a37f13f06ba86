import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";

/** Profiles as JSON are parsed as a whole; these functions take values out of them, which anybody may have written. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** About the words that the parsed form takes for each character: objects, lists, properties, elements and decimal numbers. */
const costs: Readonly<Record<string, number>> = { "{": 7, "[": 6, ":": 1, ",": 1, ".": 2 };
const wordBytes = 8;
const costOfByte = Uint8Array.from({ length: 256 }, (_, byte) => costs[String.fromCharCode(byte)] ?? 0);
/** A small file may consist of small lists; the larger it is, the more of it has to be names. */
const costBytesMax = (bytes: number) => 100e6 + 4 * bytes;
/** Parsing so few bytes takes little, whatever they are. */
const smallBytes = 512 * 1024;
/** Each further name makes objects of another kind, which take far more time and memory than one of the same kind. */
const namesMax = 20_000;
const nameLengthMax = 32;
const [quote, colon] = [0x22, 0x3a];

/** Refuses what would take too much once it is parsed. */
function checkCost(bytes: Uint8Array): void {
  let cost = 0;
  let names = 0;
  const seen = new Uint8Array(2 ** 16);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    cost += costOfByte[byte]!;
    if (byte !== colon) continue;
    const slot = slotOfName(bytes, at);
    if (seen[slot] === 0) {
      seen[slot] = 1;
      names++;
    }
  }
  if (cost * wordBytes > costBytesMax(bytes.length)) {
    const message =
      "The JSON has more objects, lists and numbers than one upload may have. Send a part of it.";
    throw new Refusal("too_large", message, "json", 0);
  }
  if (names > namesMax) {
    const message = `The JSON has more than ${namesMax} different names of properties.`;
    throw new Refusal("too_large", message, "json", 0);
  }
}

/** A hash of the end of the name before a colon; 0 where there is no name. */
function slotOfName(bytes: Uint8Array, colonAt: number): number {
  let at = colonAt - 1;
  while (at > 0 && bytes[at]! <= 0x20) at--;
  if (bytes[at] !== quote) return 0;
  let hash = 0;
  const end = Math.max(0, at - nameLengthMax);
  for (at--; at > end && bytes[at] !== quote; at--) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
  return Math.imul(hash, 0x9e3779b1) >>> 16;
}

/** @throws Refusal */
export function parseJsonText(bytes: Uint8Array): unknown {
  if (bytes.length > smallBytes) checkCost(bytes);
  const text = decodeText(bytes).replace(/^\ufeff/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const cut = text.trim();
    // A trace is a list that its writer may leave open.
    if (!cut.startsWith("[") || cut.endsWith("]")) throw notJson(error, text);
    return parseOpenList(cut.replace(/,$/, ""));
  }
}

function parseOpenList(text: string): unknown {
  try {
    return JSON.parse(`${text}]`);
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(error, text);
    throw error;
  }
}

function notJson({ message }: SyntaxError, text: string): Refusal {
  const position = / at position (\d+)/.exec(message)?.[1];
  const isAtEnd = /^Un(?:expected end|terminated string)/.test(message) || Number(position) >= text.length;
  if (!isAtEnd) return invalid("json", `it is no JSON (${message})`);
  return new Refusal("malformed", "The file is cut off: its JSON has no end.", "json", 0);
}

/** @param what completes "The profile cannot be read:" */
export function invalid(field: string, what: string): Refusal {
  return new Refusal("invalid", `The profile cannot be read: ${what}.`, field, 0);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty where there is no object. */
export function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function objectIn(value: unknown, field: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(field, `${field} is no object`);
}

export function listIn(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(field, `${field} is no list`);
}

/** Empty where there is no list. */
export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function numberIn(value: unknown, field: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw invalid(field, `${field} has no number where it needs one`);
}

export function positiveIn(value: unknown, field: string): number {
  const number = numberIn(value, field);
  if (number >= 0) return number;
  throw invalid(field, `${field} has a negative number`);
}

/** The index of an entry of a table. */
export function indexIn(value: unknown, length: number, field: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < length) return value;
  throw invalid(field, `${field} names an entry that does not exist`);
}

export function textOr(value: unknown, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}

/** 0 where the line is unknown. */
export function lineOr(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : 0;
}

/** 0 for a time that 64 bits do not hold. */
export function wholeNanoseconds(nanoseconds: number): bigint {
  return nanoseconds > 0 && nanoseconds < 2 ** 63 ? BigInt(Math.round(nanoseconds)) : 0n;
}
