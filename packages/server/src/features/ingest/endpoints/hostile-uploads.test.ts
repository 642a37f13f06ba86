import { gzipSync } from "node:zlib";
import { writeProfile } from "@flamekeep/profile";
import { block, bytesOf, number, packed, profileOf, recordingOf } from "@flamekeep/profile/testing";
import { describe, expect, it } from "vitest";
import { outcomeOf, type SentRequest } from "#ingest/testing/outcome-of.ts";

const MiB = 1024 * 1024;

function refusalOf(request: SentRequest) {
  const outcome = outcomeOf(request);
  return outcome.ok ? "it was accepted" : outcome.refusal;
}

function storedOf(request: SentRequest) {
  const outcome = outcomeOf(request);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value.map(({ type, sampleCount, trimmed }) => [
    type,
    sampleCount,
    Object.fromEntries(trimmed),
  ]);
}

const repeated = <T>(count: number, of: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => of(at));

describe("a recording of Java", () => {
  const stacks = { 1: ["shop/Cart.add:3"] };
  const event = { event: "jdk.ExecutionSample", stackTrace: 1 };
  const sent = (body: Uint8Array): SentRequest => ({ format: "profile", body });

  it("may have a million constants, and numbers that are longer than necessary", () => {
    const states = Object.fromEntries(repeated(1_000_000, (at) => [at + 1, "S"]));
    expect(storedOf(sent(recordingOf({ stacks, events: [event], states })))).toEqual([["cpu", 1, {}]]);
    expect(storedOf(sent(recordingOf({ stacks, events: [event], isPadded: true })))).toEqual([
      ["cpu", 1, {}],
    ]);
  });

  const deep = { 1: new Array<string>(1_000_000).fill("shop/Cart.add:3") };

  it("may have a stack of a million frames, whose leaves are cut", () => {
    expect(storedOf(sent(recordingOf({ stacks: deep, events: [event] })))).toEqual([
      ["cpu", 1, { depth: 1 }],
    ]);
  });

  it.each([
    [
      "samples that name a stack of a million frames again and again",
      { stacks: deep, events: repeated(30, (at) => ({ ...event, spanId: at + 1 })) },
      "too_large",
      /more than 15000000 frames\. .*INGEST_MAX_SAMPLES/,
    ],
    [
      "texts that name each other",
      { stacks, states: { 1: 1 }, texts: { 1: 2, 2: 1 }, events: [{ ...event, state: 1 }] },
      "invalid",
      /a text has the unknown encoding 2 .*Send the profiler's output unchanged/,
    ],
    [
      "an event of a size below zero",
      { stacks, events: [event], eventSize: -1 },
      "invalid",
      /an event has -1 bytes.* Send the profiler's output unchanged/,
    ],
  ])("is refused for %s", (_, parts, code, message) => {
    expect(refusalOf(sent(recordingOf(parts)))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

/** A match of 255 bytes for each byte. */
function lz4Bomb(bytes: number): Buffer {
  const content = [Buffer.of(0x1f, 0x61, 1, 0), Buffer.alloc(bytes, 255), Buffer.of(0)];
  const head = Buffer.from("04224d18407000", "hex");
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes + 5);
  return Buffer.concat([head, size, ...content, Buffer.alloc(4)]);
}

/** Blocks that repeat a byte 128 Ki times. */
function zstdBomb(blocks: number): Buffer {
  const size = 128 * 1024;
  const header = (size << 3) | 2;
  const repeating = Buffer.of(header & 255, (header >> 8) & 255, header >> 16, 0);
  return Buffer.concat([Buffer.from("28b52ffd0058", "hex"), ...new Array<Buffer>(blocks).fill(repeating)]);
}

const boundary = "b0undary";
function formOf(attachment: Uint8Array): SentRequest {
  const event = { start: "2026-11-20T17:58:00Z", end: "2026-11-20T17:59:00Z", tags_profiler: "service:shop" };
  const parts = [
    ["cpu.pprof", writeProfile(profileOf("main\n1"))],
    ["bomb.pprof", attachment],
    ["event.json", JSON.stringify(event)],
  ] as const;
  const body = parts.flatMap(([name, content]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`,
    content,
    "\r\n",
  ]);
  return {
    format: "datadog",
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...body, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece))),
  };
}

const bombs = [
  ["gzip", gzipSync(Buffer.alloc(64 * MiB))],
  ["zstd", zstdBomb(20_000)],
  ["LZ4", lz4Bomb(MiB)],
] as const;

describe.each(bombs)("bytes of %s that inflate to more than they can be", (_, bomb) => {
  it.each<[string, SentRequest]>([
    ["a profile", { format: "profile", body: bomb }],
    ["an attachment of Datadog's form", formOf(bomb)],
    ["a request of OTLP", { format: "otlp", body: bomb, contentType: "application/x-protobuf" }],
  ])("are refused as %s", (_what, request) => {
    expect(refusalOf(request)).toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/(?:times their size|bytes when decompressed).* Send /),
    });
  });
});

describe("a request of OTLP", () => {
  const tables = repeated(7, (at) => block(at + 1));
  const texts = ["samples", "count"].map((text) => block(5, text));
  const sampleType = block(1, number(1, 1), number(2, 2));
  const request = (sample: number[][], ...entries: number[][]): SentRequest => ({
    format: "otlp",
    contentType: "application/x-protobuf",
    body: bytesOf(
      block(1, block(1), block(2, block(1), block(2, sampleType, block(2, ...sample)))),
      block(2, ...tables, ...texts, ...entries),
    ),
  });
  const value = packed(4, 1);
  const beyond = number(1, 9);
  const sampleOfStack = [number(1, 1), value];
  const stack = block(7, packed(1, 1));
  const overlong = [0x08, ...new Array<number>(10).fill(0xff), 1];

  it.each([
    ["stacks", request([beyond, value])],
    ["attributes", request([packed(2, 9), value])],
    ["links", request([number(3, 9), value])],
    ["locations", request(sampleOfStack, block(7, packed(1, 9)))],
    ["mappings", request(sampleOfStack, stack, block(2, beyond))],
    ["functions", request(sampleOfStack, stack, block(2, block(3, beyond)))],
    ["names of functions", request(sampleOfStack, stack, block(2, block(3, number(1, 1))), block(3, beyond))],
    ["keys of attributes", request([packed(2, 1), value], block(6, beyond))],
    ["numbers without an end", request([overlong, value])],
  ])("is refused for %s that are not there", (_, sent) => {
    expect(refusalOf(sent)).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^[A-Z].*\. .*Send .*\.$/s),
    });
  });
});
