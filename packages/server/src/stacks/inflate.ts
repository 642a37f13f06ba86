import {
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompressSync,
} from "node:zlib";
import { inflateLz4, lz4Head } from "./lz4.ts";

/** The inflated bytes, or a sentence with the reason why they cannot be inflated. */
export type Inflation =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: "too_large" | "damaged"; readonly message: string };

interface Unpacked {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/**
 * Inflates gzip, zstd and LZ4, recognised by their first bytes; returns any other body as it is. Never allocates much more
 * than `bytesMax`, whatever size the stream states. Like Go's reader, it accepts several gzip members in a row and
 * refuses bytes after the last one; gzip within gzip stays gzip.
 */
export function inflate(body: Uint8Array, bytesMax: number): Inflation {
  const compression = compressionOf(body);
  if (compression === "gzip") {
    return unpacked(body, bytesMax, "gzip", (options) => gunzipSync(body, options) as unknown as Unpacked);
  }
  if (compression === "zstd") {
    return unpacked(
      body,
      bytesMax,
      "zstd",
      (options) => zstdDecompressSync(body, options) as unknown as Unpacked,
    );
  }
  if (compression === "lz4") {
    const inflation = inflateLz4(body, bytesMax);
    if (inflation.ok) return inflation;
    return inflation.reason === "too_large" ? tooLarge(bytesMax) : damagedStream("LZ4", inflation.message);
  }
  if (body.length > bytesMax) return tooLarge(bytesMax);
  return { ok: true, bytes: body };
}

/** Recognised by the first bytes: no pprof profile and no JSON begins with them. */
export function compressionOf(body: Uint8Array): "gzip" | "zstd" | "lz4" | undefined {
  if (body[0] === 0x1f && body[1] === 0x8b) return "gzip";
  if (body[0] === 0x28 && body[1] === 0xb5 && body[2] === 0x2f && body[3] === 0xfd) return "zstd";
  if (body[0] === 0x04 && body[1] === 0x22 && body[2] === 0x4d && body[3] === 0x18) return "lz4";
  return undefined;
}

/** The beginning of a body, by other threads and without inflating all of it. Empty where it is damaged. */
export async function inflatedHead(body: Uint8Array): Promise<Uint8Array> {
  const compression = compressionOf(body);
  if (compression === undefined) return body;
  if (compression === "lz4") return lz4Head(body);
  const inflation = compression === "gzip" ? createGunzip() : createZstdDecompress();
  inflation.end(body);
  try {
    for await (const chunk of inflation) return chunk;
  } catch {
    // A damaged profile can still be downloaded.
  }
  return new Uint8Array(0);
}

type Options = ZlibOptions & ZstdOptions & { info: true };

function unpacked(
  body: Uint8Array,
  bytesMax: number,
  format: "gzip" | "zstd",
  run: (options: Options) => Unpacked,
): Inflation {
  try {
    const expectedBytes = format === "gzip" ? plausibleSize(body) : zstdSizeMax(body);
    const { buffer, engine } = inflated(run, bytesMax, expectedBytes, body.length);
    if (engine.bytesWritten !== body.length) {
      const extra = body.length - engine.bytesWritten;
      return damaged(
        `The ${format} stream ends ${extra} bytes before the upload does. Send it alone, without anything behind it.`,
      );
    }
    return { ok: true, bytes: buffer };
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") return tooLarge(bytesMax);
    const reason = error instanceof Error ? error.message : String(error);
    return damagedStream(format, reason);
  }
}

/** Above this, joining chunks would take as much memory again as the result. */
const joinedBytesMax = 8 * 1024 * 1024;

/**
 * Inflates larger bodies into one chunk, because the system only allocates the pages that are written. A body that is found to be
 * larger than expected is inflated again from the start.
 */
function inflated(
  run: (options: Options) => Unpacked,
  bytesMax: number,
  expectedBytes: number,
  bodyBytes: number,
): Unpacked {
  const inOneChunk = () => run({ info: true, maxOutputLength: bytesMax, chunkSize: bytesMax + 64 });
  if (expectedBytes > joinedBytesMax && bytesMax > joinedBytesMax) return inOneChunk();
  try {
    const maxOutputLength = Math.min(bytesMax, joinedBytesMax);
    return run({ info: true, maxOutputLength, chunkSize: chunkSize(expectedBytes, bodyBytes) });
  } catch (error) {
    if (bytesMax <= joinedBytesMax || codeOf(error) !== "ERR_BUFFER_TOO_LARGE") throw error;
    return inOneChunk();
  }
}

/** The most that deflate compresses (RFC 1951: 258 bytes in two bits). */
const gzipRatioMax = 1032;

/** gzip ends with the inflated size of its last member, modulo 2^32. 0 if there is none, or no gzip of this length has it. */
function plausibleSize(body: Uint8Array): number {
  if (body.length < 18) return 0;
  const size = new DataView(body.buffer, body.byteOffset + body.length - 4, 4).getUint32(0, true);
  return size <= body.length * gzipRatioMax ? size : 0;
}

const chunkSizeUsual = 64 * 1024;
const chunkSizeMax = 4 * 1024 * 1024;

/**
 * If the expected size is plausible for the whole body, one chunk of that size saves collecting and joining many (a fifth of
 * the time); a wrong size costs one chunk, or the usual ones.
 */
function chunkSize(expectedBytes: number, bodyBytes: number): number {
  const isPlausible =
    expectedBytes >= bodyBytes / 2 && expectedBytes <= Math.min(chunkSizeMax, bodyBytes * 20);
  return isPlausible ? expectedBytes + 64 : chunkSizeUsual;
}

function tooLarge(bytesMax: number): Inflation {
  const message = `The bytes are more than ${bytesMax} when decompressed.`;
  return { ok: false, reason: "too_large", message };
}

function damagedStream(format: string, reason: string): Inflation {
  return damaged(
    `The ${format} stream is damaged (${reason}). Send the bytes exactly as they were written, for example with curl --data-binary.`,
  );
}

function damaged(message: string): Inflation {
  return { ok: false, reason: "damaged", message };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Sizes and fields as in RFC 8878, section 3.1. */
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const blockBytesMax = 128 * 1024;
const contentSizeBytes = [0, 2, 4, 8] as const;
const dictionaryIdBytes = [0, 1, 2, 4] as const;

/**
 * The most bytes that a zstd body can inflate to, from the headers of its blocks: a block has at most 128 KiB, and usually all
 * but the last have. Only some writers state the size. A damaged body counts up to its damage.
 */
export function zstdSizeMax(body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let size = 0;
  for (let at = 0; at + 8 <= body.length; ) {
    const magic = view.getUint32(at, true);
    if (magic === frameMagic) {
      const frame = readFrame(view, at);
      size += frame.size;
      at = frame.end;
    } else if ((magic & ~0xf) >>> 0 === skippableMagic) at += 8 + view.getUint32(at + 4, true);
    else break;
  }
  return size;
}

/** A frame that is cut off ends beyond the body. */
function readFrame(view: DataView, start: number): { size: number; end: number } {
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 4) !== 0;
  const contentFlag = descriptor >> 6;
  const contentSize = contentFlag === 0 && isSingleSegment ? 1 : contentSizeBytes[contentFlag]!;
  const windowBytes = isSingleSegment ? 0 : 1;
  let size = 0;
  let at = start + 5 + windowBytes + dictionaryIdBytes[descriptor & 3]! + contentSize;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > view.byteLength) return { size, end: view.byteLength };
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) !== 0;
    const kind = (header >> 1) & 3;
    const blockSize = header >> 3;
    // Blocks are raw, one byte repeated, or compressed.
    size += kind === 2 ? blockBytesMax : blockSize;
    at += 3 + (kind === 1 ? 1 : blockSize);
  }
  return { size, end: at + (hasChecksum ? 4 : 0) };
}
