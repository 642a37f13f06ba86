import { randomBytes } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import zlib, { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { inflate, inflatedHead, zstdSizeMax } from "./inflate.ts";

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

const text = Buffer.from("a profile ".repeat(1000));

/** The number of calls of a function of zlib while `run` runs. */
function callsOf(name: "gunzipSync" | "zstdDecompressSync", run: () => void): number {
  const calls = vi.spyOn(zlib, name);
  syncBuiltinESMExports();
  try {
    run();
    return calls.mock.calls.length;
  } finally {
    calls.mockRestore();
    syncBuiltinESMExports();
  }
}

const inflated = (body: Uint8Array, bytesMax = 1 << 20) => {
  const result = inflate(body, bytesMax);
  return result.ok ? Buffer.from(result.bytes).toString() : result.reason;
};

test("distinguishes gzip, zstd and plain bytes by their first bytes", () => {
  for (const body of [gzipSync(text), zstdCompressSync(text), text]) {
    expect(inflated(body)).toBe(text.toString());
  }
});

test("inflates several gzip members in a row", () => {
  expect(inflated(Buffer.concat([gzipSync("one "), gzipSync("two")]))).toBe("one two");
});

test.each([gzipSync, zstdCompressSync])(
  "has the head of a whole body, and none of a damaged one",
  async (compress) => {
    const body = compress(text);
    expect(Buffer.from(await inflatedHead(body)).toString()).toBe(text.toString());
    expect(await inflatedHead(Buffer.concat([body.subarray(0, 6), randomBytes(200)]))).toHaveLength(0);
  },
);

test("inflates one layer only", () => {
  const inner = gzipSync(text);
  const result = inflate(gzipSync(inner), 1 << 20);
  expect(result.ok && Buffer.from(result.bytes).equals(inner)).toBe(true);
});

test.each([
  ["text behind gzip", Buffer.concat([gzipSync(text), Buffer.from("garbage")])],
  ["a zero byte behind gzip", Buffer.concat([gzipSync(text), Buffer.alloc(1)])],
  ["zeros behind gzip", Buffer.concat([gzipSync(text), Buffer.alloc(600)])],
  ["half a magic behind gzip", Buffer.concat([gzipSync(text), Buffer.from([0x1f])])],
  ["text behind zstd", Buffer.concat([zstdCompressSync(text), Buffer.from("garbage")])],
  ["a cut gzip", gzipSync(text).subarray(0, -9)],
  ["a cut zstd", zstdCompressSync(text).subarray(0, -9)],
  ["a gzip header alone", gzipSync(text).subarray(0, 10)],
  ["a wrong checksum", Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)])],
])("refuses %s", (_, body) => {
  expect(inflated(body)).toBe("damaged");
});

test("a decompression bomb stops at the limit and allocates no more than that", () => {
  const zeros = Buffer.alloc(256 << 20);
  for (const bomb of [gzipSync(zeros), zstdCompressSync(zeros)]) {
    const before = process.memoryUsage.rss();
    expect(inflated(bomb, 1 << 20)).toBe("too_large");
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 << 20);
  }
  expect(inflated(text, 100)).toBe("too_large");
});

test("a wrong size in the gzip trailer allocates no extra memory", () => {
  const body = gzipSync(Buffer.from("small"));
  body.writeUInt32LE(0xffffffff, body.length - 4);
  expect(inflated(body)).toBe("damaged");
});

test.each([
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
] as const)("what is large is inflated with %s into one chunk, not joined from many", (_, compress) => {
  const bytesMax = 32 * 1024 * 1024;
  const content = Buffer.alloc(20 * 1024 * 1024, "flame");
  const inflation = inflate(compress(content), bytesMax);
  if (!inflation.ok) throw new Error(inflation.message);
  expect(content.equals(inflation.bytes)).toBe(true);
  // The chunk has room for the most there may be; joined chunks would have room for their sum.
  expect(inflation.bytes.buffer.byteLength).toBeGreaterThan(bytesMax);
  expect(inflate(compress(content), content.length - 1)).toMatchObject({ ok: false, reason: "too_large" });
});

test("a gzip that states a size above 8 MiB is inflated once", () => {
  const content = Buffer.alloc(9 * 1024 * 1024, "flame");
  const calls = callsOf("gunzipSync", () => {
    expect(inflate(gzipSync(content), 16 * 1024 * 1024).ok).toBe(true);
  });
  expect(calls).toBe(1);
});

describe("a zstd body above 8 MiB is inflated once", () => {
  const content = randomBytes(9 * 1024 * 1024);
  const middle = content.length / 2;

  test.each([
    ["without its size", zstdCompressSync(content)],
    ["with its size", zstdCompressSync(content, { pledgedSrcSize: content.length })],
    ["with a checksum", zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
    ["of few bytes", zstdCompressSync(Buffer.alloc(content.length, "flame"))],
    [
      "of two frames",
      Buffer.concat([
        zstdCompressSync(content.subarray(0, middle)),
        zstdCompressSync(content.subarray(middle)),
      ]),
    ],
  ])("%s", (_, body) => {
    const calls = callsOf("zstdDecompressSync", () => {
      const inflation = inflate(body, 16 * 1024 * 1024);
      expect(inflation.ok && inflation.bytes.length).toBe(content.length);
    });
    expect(calls).toBe(1);
  });
});
