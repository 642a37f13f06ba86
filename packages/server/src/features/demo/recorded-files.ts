import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { recordedFolder } from "./manifest.ts";
import type { Planned } from "./plan.ts";

const inflate = promisify(gunzip);
const deflate = promisify(gzip);

/** The recorded files, inflated at first use and then kept in memory. */
export class RecordedFiles {
  readonly #inflated = new Map<string, Promise<Buffer>>();

  /** The upload's bytes as a sender would send them now: gzip. */
  async bodyOf({ file, startedAtMs }: Planned): Promise<Uint8Array> {
    const raw = await this.#read(file.path);
    const isMetrics = file.type === "metrics";
    return deflate(isMetrics ? shiftMetrics(raw.toString(), startedAtMs) : shiftProfile(raw, startedAtMs));
  }

  #read(path: string): Promise<Buffer> {
    const known = this.#inflated.get(path);
    if (known !== undefined) return known;
    const reading = readFile(new URL(path, recordedFolder)).then((body) => inflate(body));
    this.#inflated.set(path, reading);
    return reading;
  }
}

/** The same requests (NDJSON) at another time: the first begins at `startedAtMs`, the distances stay. */
export function shiftMetrics(text: string, startedAtMs: number): string {
  const requests = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { timestamp: string });
  const first = requests.reduce((min, { timestamp }) => Math.min(min, Date.parse(timestamp)), Infinity);
  return requests
    .map((request) => {
      const at = startedAtMs + Date.parse(request.timestamp) - first;
      return `${JSON.stringify({ ...request, timestamp: new Date(at).toISOString() })}\n`;
    })
    .join("");
}

const timeNanos = 9;
const varint = 0;
const lengthDelimited = 2;

/**
 * The same profile at another time: `time_nanos` of an inflated pprof is replaced, every other byte stays.
 * Throws when the bytes are not a recorded profile.
 */
export function shiftProfile(raw: Uint8Array, startedAtMs: number): Uint8Array {
  const place = findField(raw, timeNanos);
  const field = Uint8Array.of((timeNanos << 3) | varint, ...varintOf(BigInt(startedAtMs) * 1_000_000n));
  const shifted = new Uint8Array(raw.length - (place.to - place.from) + field.length);
  shifted.set(raw.subarray(0, place.from));
  shifted.set(field, place.from);
  shifted.set(raw.subarray(place.to), place.from + field.length);
  return shifted;
}

function findField(raw: Uint8Array, wanted: number): { from: number; to: number } {
  for (let at = 0; at < raw.length; ) {
    const from = at;
    const key = readVarint(raw, at);
    const value = readVarint(raw, key.next);
    const wire = key.value & 7;
    if (wire !== varint && wire !== lengthDelimited) break;
    at = wire === varint ? value.next : value.next + value.value;
    if (key.value >>> 3 === wanted) return { from, to: at };
  }
  throw new Error("Not a recorded profile: it has no time");
}

/** Values beyond 2^53 come back rounded: only their length matters here. */
function readVarint(raw: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let scale = 1; at < raw.length; scale *= 128) {
    const byte = raw[at++]!;
    value += (byte & 127) * scale;
    if (byte < 128) break;
  }
  return { value, next: at };
}

function varintOf(value: bigint): number[] {
  const bytes: number[] = [];
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  return [...bytes, Number(value)];
}
