import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";

/** Profiles as JSON are parsed as a whole; these functions take values out of them, which anybody may have written. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** About the bytes that the parsed form takes for each character: objects, lists, properties, elements and decimal numbers. */
const costs: Readonly<Record<string, number>> = { "{": 64, "[": 48, ":": 24, ",": 8, ".": 8 };
const costOfByte = Uint8Array.from({ length: 256 }, (_, byte) => costs[String.fromCharCode(byte)] ?? 0);
/** A small file may consist of small lists; the larger it is, the more of it has to be names. */
const costMax = (bytes: number) => 100e6 + 3 * bytes;

/** @throws Refusal */
export function parseJsonText(bytes: Uint8Array): unknown {
  let cost = 0;
  for (let at = 0; at < bytes.length; at++) cost += costOfByte[bytes[at]!]!;
  if (cost > costMax(bytes.length)) {
    const message =
      "The JSON has more objects, lists and numbers than one upload may have. Send a part of it.";
    throw new Refusal("too_large", message, "json", 0);
  }
  const text = decodeText(bytes).replace(/^\ufeff/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const cut = text.trim();
    // A trace is a list that its writer may leave open.
    if (!cut.startsWith("[") || cut.endsWith("]")) throw invalid("json", `it is no JSON (${error.message})`);
    return parseOpenList(cut.replace(/,$/, ""));
  }
}

function parseOpenList(text: string): unknown {
  try {
    return JSON.parse(`${text}]`);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid("json", `it is no JSON (${error.message})`);
    throw error;
  }
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
