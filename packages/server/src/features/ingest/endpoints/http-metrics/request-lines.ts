import type { HttpMetric } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { dayOf } from "#ingest/encode/profile-id.ts";

const idLength = 32;
const emptyId = "0".repeat(idLength);
const lineEnd = `"${emptyId}"]\n`;
/** Most bytes of UTF-8 for a UTF-16 code unit. */
const bytesPerUnit = 3;

/**
 * Lines of the table `http_requests`. They are written as the metrics are read, so that no metric has to stay in memory. The
 * profile's id follows from all metrics and is filled in at the end.
 */
export class RequestLines {
  readonly #start: string;
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;
  #ends: number[] = [];

  constructor(orgId: string, service: string, bytesExpected: number) {
    this.#start = JSON.stringify([orgId, service]).slice(0, -1);
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(1024, bytesExpected));
  }

  add(at: number, { duration, status_code, method, path, request_id }: HttpMetric): void {
    const texts = `${quoted(method.toUpperCase())},${quoted(path)},${quoted(request_id)}`;
    const line = `${this.#start},"${dateTime(at)}",${duration},${status_code},${texts},${lineEnd}`;
    this.#reserve(line.length * bytesPerUnit);
    this.#length += this.#bytes.write(line, this.#length);
    this.#ends.push(this.#length);
  }

  /** In memory of their own, so that a thread can hand them over whole. */
  finish(profileId: string): Uint8Array<ArrayBuffer> {
    if (profileId.length !== idLength) throw new Error(`a profile id has ${idLength} characters`);
    for (const end of this.#ends) this.#bytes.write(profileId, end - lineEnd.length + 1, "latin1");
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + bytes);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));

/** As `dateTime` of the tables, at a fifth of its time: a batch has hundreds of thousands of times. */
function dateTime(ms: number): string {
  const inDay = ((ms % dayMs) + dayMs) % dayMs;
  const hours = twoDigits[Math.floor(inDay / hourMs)];
  const minutes = twoDigits[Math.floor(inDay / 60_000) % 60];
  const seconds = twoDigits[Math.floor(inDay / 1000) % 60];
  return `${dayOf(ms)} ${hours}:${minutes}:${seconds}.${String(inDay % 1000).padStart(3, "0")}`;
}
