import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText, encodeText } from "#wire/wire-reader.ts";
import { WireWriter } from "#wire/wire-writer.ts";
import { readOtlp } from "./read-otlp.ts";
import { type Field, type Message, request, type Scalar } from "./schema.ts";

/** Brackets and commas of a request. Each costs memory once it is parsed. */
const marksMax = 2_000_000;
const depthMax = 64;

/** An OTLP request as JSON. @throws Refusal */
export function readOtlpJson(bytes: Uint8Array, limits: ReadLimits): Profile {
  return readOtlp(otlpOfJson(bytes), limits);
}

/**
 * The protobuf form of an OTLP request in JSON, `message` of a profiles request unless given (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): names in lowerCamelCase,
 * 64-bit integers as strings or numbers, ids in hex, other bytes in base64.
 *
 * @throws Refusal
 */
export function otlpOfJson(bytes: Uint8Array, message: Message = request): Uint8Array<ArrayBuffer> {
  const wire = new WireWriter();
  writeMessage(wire, message, parsed(bytes), { path: "", depth: 0 });
  return wire.toBytes();
}

function parsed(bytes: Uint8Array): unknown {
  let marks = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks++;
  if (marks > marksMax) {
    const message = `The request as JSON has more than ${marksMax} values. Send it as protobuf.`;
    throw new Refusal("too_large", message, "json", 0);
  }
  try {
    return JSON.parse(decodeText(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) refuse("", `no JSON (${error.message})`);
    throw error;
  }
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

/** Fields that the schema does not have are skipped, and null means that a field is absent. */
function writeMessage(wire: WireWriter, message: Message, json: unknown, { path, depth }: Place): void {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    refuse(path, path === "" ? "no JSON object" : "no object");
  if (depth > depthMax) refuse(path, "nested too deeply");
  const given = json as Readonly<Record<string, unknown>>;
  for (const field of message) {
    const value = given[camelCase(field.name)] ?? given[field.name];
    if (value === undefined || value === null) continue;
    writeField(wire, field, value, {
      path: path === "" ? field.name : `${path}.${field.name}`,
      depth: depth + 1,
    });
  }
}

/** By the names of the schema: each is asked for in every object. */
const camelCases = new Map<string, string>();

function camelCase(name: string): string {
  const known = camelCases.get(name);
  if (known !== undefined) return known;
  const made = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  camelCases.set(name, made);
  return made;
}

function writeField(wire: WireWriter, field: Field, value: unknown, place: Place): void {
  const { number, message, scalar, isRepeated, names } = field;
  if (isRepeated && !Array.isArray(value)) refuse(place.path, "no list");
  const values = isRepeated ? (value as readonly unknown[]) : [value];
  if (message !== undefined) {
    for (const each of values) wire.block(number, () => writeMessage(wire, message(), each, place));
  } else if (scalar === "string" || scalar === "hex" || scalar === "base64") {
    for (const each of values) wire.block(number, () => wire.raw(bytesOf(scalar, each, place.path)));
  } else if (isRepeated) {
    wire.block(number, () => {
      for (const each of values) writeNumber(wire, scalar, each, place.path);
    });
  } else {
    wire.element(number * 8 + (scalar === "fixed64" || scalar === "double" ? 1 : 0), 0);
    writeNumber(wire, scalar, names?.[String(value)] ?? value, place.path);
  }
}

function writeNumber(wire: WireWriter, scalar: Scalar | undefined, value: unknown, path: string): void {
  if (scalar === "bool") wire.element(value === true ? 1 : 0, 0);
  else if (scalar === "sint32") wire.element(zigzag(halvesOf(value, path)[0] | 0), 0);
  else if (scalar === "double") {
    const [low, high] = new Uint32Array(Float64Array.of(Number(value)).buffer);
    wire.fixed64(low, high);
  } else {
    const [low, high] = halvesOf(value, path);
    if (scalar === "fixed64") wire.fixed64(low, high);
    else wire.element(low, high);
  }
}

function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

const twoTo32 = 4_294_967_296;

/** A whole number of 64 bits in two halves. */
function halvesOf(value: unknown, path: string): readonly [low: number, high: number] {
  if (typeof value === "number" && Number.isSafeInteger(value))
    return [value >>> 0, Math.floor(value / twoTo32) >>> 0];
  const isText = typeof value === "string" && /^-?\d{1,20}$/.test(value);
  if (!isText && !(typeof value === "number" && Number.isInteger(value))) refuse(path, "no whole number");
  const bits = BigInt.asUintN(64, BigInt(value as string | number));
  return [Number(bits & 0xffffffffn), Number(bits >> 32n)];
}

function bytesOf(scalar: "string" | "hex" | "base64", value: unknown, path: string): Uint8Array {
  if (typeof value !== "string") refuse(path, "no text");
  if (scalar === "string") return encodeText(value);
  if (scalar === "base64") return bytesOfBase64(value, path);
  if (value.length % 2 === 1 || /[^0-9a-fA-F]/.test(value)) refuse(path, "no hex");
  return Uint8Array.from({ length: value.length / 2 }, (_, at) =>
    Number.parseInt(value.slice(2 * at, 2 * at + 2), 16),
  );
}

declare function atob(base64: string): string;

function bytesOfBase64(text: string, path: string): Uint8Array {
  try {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return refuse(path, "no base64");
  }
}

/** @param path of the field, "" for the whole request */
function refuse(path: string, what: string): never {
  const message = path === "" ? `The request is ${what}.` : `${path} of the OTLP request is ${what}.`;
  throw new Refusal("invalid", message, path || "request", 0);
}
