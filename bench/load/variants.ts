import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";

/** Makes distinct uploads of one profile at hardly any cost: each has another `time_nanos`, and with it another id. */
export interface Variants {
  readonly inflatedBytes: number;
  /** A gzip of the profile as taken at `timeNs`, in parts that follow each other. */
  at(timeNs: bigint): readonly Buffer[];
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
const timeField = 9;

/**
 * The profile without its `time_nanos` is compressed once and ends in a flush; behind it every variant puts one stored
 * block with its own time, and the trailer for the whole.
 */
export function variantsOf(gzipped: Uint8Array): Variants {
  const raw = withoutTime(gunzipSync(gzipped));
  const level = constants.Z_BEST_SPEED;
  const compressed = deflateRawSync(raw, { level, finishFlush: constants.Z_FULL_FLUSH });
  const before = Buffer.concat([header, compressed]);
  const crcBefore = crc32(raw);
  return {
    inflatedBytes: raw.length + 1 + varint(1n << 60n).length,
    at(timeNs) {
      const field = Buffer.concat([Buffer.from([timeField << 3]), varint(timeNs)]);
      const block = Buffer.alloc(5);
      block[0] = 1;
      block.writeUInt16LE(field.length, 1);
      block.writeUInt16LE(~field.length & 0xffff, 3);
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(crc32(field, crcBefore), 0);
      trailer.writeUInt32LE((raw.length + field.length) >>> 0, 4);
      return [before, Buffer.concat([block, field, trailer])];
    },
  };
}

/** Fields of protobuf may come in any order: the time can go to the end. */
function withoutTime(raw: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < raw.length; ) {
    const start = at;
    const [tag, afterTag] = readVarint(raw, at);
    at = afterTag;
    const wireType = tag & 7;
    if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else {
      const [value, afterValue] = readVarint(raw, at);
      at = wireType === 2 ? afterValue + value : afterValue;
    }
    if (tag >>> 3 !== timeField) kept.push(raw.subarray(start, at));
  }
  return Buffer.concat(kept);
}

function readVarint(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let factor = 1, end = at; ; factor *= 128) {
    const byte = bytes[end++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, end];
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}
