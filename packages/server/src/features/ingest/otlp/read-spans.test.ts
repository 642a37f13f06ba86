import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ReadRefusal } from "@flamekeep/profile";
import { expect, test } from "vitest";
import { type SentSpan, tracesOf } from "#ingest/testing/traces-of.ts";
import { type HttpSpan, readSpans } from "./read-spans.ts";

const attributes = { "http.request.method": "GET", "http.route": "/a", "http.response.status_code": 200 };
const resource = { "service.name": "shop" };

const sent = (more: Partial<SentSpan> = {}): SentSpan => ({ attributes, startNs: 1n, endNs: 2n, ...more });

function spansOf(bytes: Uint8Array): HttpSpan[] {
  const found: HttpSpan[] = [];
  readSpans(bytes, (_, span) => found.push(span));
  return found;
}

test.each([
  [1_795_929_039_438_341_734n, 1_795_929_039_440_480_256n],
  [1_795_929_039_999_999_999n, 1_795_929_040_000_000_000n],
  [4_294_967_296_000_000_000n, 4_294_967_296_000_000_001n],
  [18_446_744_073_709_551_615n, 18_446_744_073_709_551_615n],
])("times are exact: %s to %s", (startNs, endNs) => {
  const [span] = spansOf(tracesOf([{ attributes: resource, spans: [sent({ startNs, endNs })] }]));
  expect(span).toMatchObject({
    startMs: Number(startNs / 1_000_000n),
    durationSeconds: Number(endNs - startNs) / 1e9,
  });
});

test("an id of a trace that is empty, zero or of another length is none", () => {
  const ids = ["", "00".repeat(16), "ab".repeat(8), "ab".repeat(16)];
  const spans = ids.map((traceId) => sent({ traceId }));
  expect(spansOf(tracesOf([{ attributes: resource, spans }])).map(({ traceId }) => traceId)).toEqual([
    "",
    "",
    "",
    "ab".repeat(16),
  ]);
});

test("other attributes are skipped, however deep, long or many they are", () => {
  const deep = block(9, Buffer.concat([block(1, Buffer.from("http.route.")), block(2, nested(20_000))]));
  const long = block(
    9,
    Buffer.concat([block(1, Buffer.alloc(1e6, "k")), block(2, block(1, Buffer.alloc(1e6)))]),
  );
  const many = Buffer.concat(Array(200_000).fill(block(9, block(1, Buffer.from("k")))));
  const span = tracesOf([{ spans: [sent()] }]);
  const [expected] = spansOf(span);
  for (const extra of [deep, long, many]) {
    expect(spansOf(withInSpan(extra))).toEqual([expected]);
  }
});

test("whatever byte is broken, spans are read or refused", () => {
  const bytes = tracesOf([
    { attributes: resource, spans: [sent({ traceId: "ab".repeat(16) }), sent({ kind: 3 })] },
  ]);
  let [read, refused] = [0, 0];
  const attempt = (mutant: Uint8Array) => {
    try {
      spansOf(mutant);
      read++;
    } catch (error) {
      expect(error).toBeInstanceOf(ReadRefusal);
      refused++;
    }
  };
  for (let at = 0; at < bytes.length; at++) {
    attempt(bytes.subarray(0, at));
    for (let value = 0; value < 256; value += 3) {
      const mutant = Uint8Array.from(bytes);
      mutant[at] = value;
      attempt(mutant);
    }
  }
  expect(read + refused).toBeGreaterThan(20_000);
  expect(Math.min(read, refused)).toBeGreaterThan(1000);
});

function block(field: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(bytes).finish();
}

/** An array in an array, and so on. Only the head of each block is written: copying what it holds would take the square of the depth. */
function nested(depth: number): Uint8Array {
  const heads: Uint8Array[] = [];
  let length = 0;
  for (let block = 0; block < 2 * depth; block++) {
    const field = block % 2 === 0 ? 1 : 5;
    const head = new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish();
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat(heads.reverse());
}

/** A request with one span, which has the extra fields before its own. */
function withInSpan(extra: Uint8Array): Uint8Array {
  const own = Object.entries(attributes).map(([key, value]) => {
    const writer = new BinaryWriter();
    if (typeof value === "string") writer.tag(1, WireType.LengthDelimited).string(value);
    else writer.tag(3, WireType.Varint).int64(value);
    return block(9, Buffer.concat([block(1, Buffer.from(key)), block(2, writer.finish())]));
  });
  const times = new BinaryWriter().tag(6, WireType.Varint).int32(2).tag(7, WireType.Bit64).fixed64(1n);
  const span = [extra, times.tag(8, WireType.Bit64).fixed64(2n).finish(), ...own];
  return block(1, block(2, block(2, Buffer.concat(span))));
}
