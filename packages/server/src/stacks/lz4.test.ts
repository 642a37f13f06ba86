import { describe, expect, test } from "vitest";
import { inflate, inflatedHead } from "./inflate.ts";
import { inflateLz4 } from "./lz4.ts";

const content = Buffer.from(
  Array.from({ length: 4000 }, (_, i) => `a profile of service ${i % 7}\n`).join(""),
);
/** The command lz4 1.9.4 wrote these. */
const frames = {
  "-9": "BCJNGGRQCKkBAAD/CGEgcHJvZmlsZSBvZiBzZXJ2aWNlIDAKFwACHzEXAAMfMhcAAx8zFwADHzQXAAMfNRcAAy82CqEA////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////D1BjZSAyCgAAAAD5xrq+",
  "-BD -B4 --content-size":
    "BCJNGExAYGcBAAAAAADDRAEAAP8IYSBwcm9maWxlIG9mIHNlcnZpY2UgMAoXAAIfMRcAAx8yFwADHzMXAAMfNBcAAx81FwADHzYXAAMPoQD/////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////MlBvZmlsZXEAAAAP9///////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////r1BjZSAyCgAAAAD5xrq+",
  "--no-frame-crc -BX":
    "BCJNGHBQhKsBAAD/CGEgcHJvZmlsZSBvZiBzZXJ2aWNlIDAKFwACHzEXAAMfMhcAAx8zFwADHzQXAAMfNRcAAx82FwADD6EA///////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////5UGNlIDIKn5MhKgAAAAA=",
} as const;
const all = Object.entries(frames).map(
  ([options, base64]) => [options, Buffer.from(base64, "base64")] as const,
);
const frame = Buffer.from(frames["-9"], "base64");

/** A frame of one block. */
const frameOf = (...block: number[]) =>
  Buffer.from([
    0x04,
    0x22,
    0x4d,
    0x18,
    0x40,
    0x40,
    0,
    block.length & 255,
    block.length >> 8,
    0,
    0,
    ...block,
    0,
    0,
    0,
    0,
  ]);

describe("LZ4", () => {
  test.each(all)("written with %s", (_, bytes) => {
    const inflated = inflate(bytes, content.length);
    expect(inflated.ok && Buffer.from(inflated.bytes).equals(content)).toBe(true);
    expect(inflate(bytes, content.length - 1)).toMatchObject({ ok: false, reason: "too_large" });
  });

  test("may be several frames, with others between them that are skipped", () => {
    const skippable = Buffer.from([0x55, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
    const inflated = inflate(Buffer.concat([frame, skippable, frame]), 1e6);
    expect(inflated.ok && Buffer.from(inflated.bytes).equals(Buffer.concat([content, content]))).toBe(true);
  });

  test("repeats what a match overlaps", () => {
    const inflated = inflateLz4(frameOf(0x14, 0x61, 1, 0, 0), 100);
    expect(inflated.ok && Buffer.from(inflated.bytes).toString()).toBe("aaaaaaaaa");
  });

  test.each([
    ["a match before the content", frameOf(0x14, 0x61, 2, 0, 0), "a match begins before the content"],
    ["a match at no distance", frameOf(0x14, 0x61, 0, 0, 0), "a match begins before the content"],
    ["literals beyond the block", frameOf(0xf0, 0xff, 0xff, 0xff), "it is cut off"],
    [
      "another version",
      Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x80, 0x40, 0, 0, 0, 0, 0]),
      "its version is unknown",
    ],
    [
      "a dictionary",
      Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x41, 0x40, 0, 0, 0, 0, 0]),
      "it needs a dictionary",
    ],
    [
      "bytes behind it",
      Buffer.concat([frame, Buffer.from("garbage")]),
      "something other than a frame follows",
    ],
  ])("with %s is damaged", (_, bytes, fault) => {
    expect(inflate(bytes, 1e6)).toMatchObject({ ok: false, message: expect.stringContaining(fault) });
  });

  test("takes no more than its limit, whatever a few bytes promise", () => {
    const bomb = frameOf(0x1f, 0x61, 1, 0, ...Array<number>(250).fill(255), 0);
    expect(inflateLz4(bomb, 10_000)).toMatchObject({ ok: false, reason: "too_large" });
  });

  test("is inflated or refused, whichever bytes are damaged", () => {
    let refused = 0;
    for (let at = 0; at < frame.length; at++)
      for (const byte of [0, 1, 127, 255]) {
        const damaged = Buffer.from(frame);
        damaged[at] = byte;
        if (!inflateLz4(damaged, 1e6).ok) refused++;
      }
    expect(refused).toBeGreaterThan(100);
  });

  test("shows its beginning without all of it", async () => {
    expect(Buffer.from(await inflatedHead(frame)).equals(content)).toBe(true);
    expect((await inflatedHead(frame.subarray(0, 5))).length).toBe(0);
  });
});
