import { randomBytes } from "node:crypto";
import { constants, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { zstdSizeMax } from "./zstd-size.ts";

const blockBytes = 128 * 1024;
const checksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

test.each([
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from("a")],
  ["bytes that cannot be compressed", randomBytes(700_000)],
  ["equal bytes", Buffer.alloc(3_000_000, 7)],
  ["text", Buffer.from("a profile of a service ".repeat(50_000))],
])("is at most a block above the size of %s", (_, content) => {
  for (const options of [{}, { pledgedSrcSize: content.length }, checksum]) {
    const size = zstdSizeMax(zstdCompressSync(content, options));
    expect(size).toBeGreaterThanOrEqual(content.length);
    expect(size).toBeLessThanOrEqual(content.length + blockBytes);
  }
});

test("counts all frames and skips what is skippable", () => {
  const frame = zstdCompressSync(randomBytes(1000), checksum);
  const skippable = Buffer.alloc(8 + 100, 0xff);
  skippable.writeUInt32LE(0x184d2a57, 0);
  skippable.writeUInt32LE(100, 4);
  const one = zstdSizeMax(frame);
  expect(zstdSizeMax(Buffer.concat([skippable, frame, skippable, frame]))).toBe(2 * one);
});

test("counts what comes before damage", () => {
  const frame = zstdCompressSync(randomBytes(1_000_000));
  for (let end = 0; end < frame.length; end += 997) {
    expect(zstdSizeMax(frame.subarray(0, end))).toBeLessThanOrEqual(1_000_000 + blockBytes);
  }
  expect(zstdSizeMax(Buffer.concat([frame, Buffer.from("garbage")]))).toBe(zstdSizeMax(frame));
});
