import { hashStacks } from "@flamekeep/profile";
import { describe, expect, it } from "vitest";
import { accepted } from "#ingest/upload/refusal.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { SentDefinitions } from "./definitions.ts";
import { stackParts } from "./packed-stacks.ts";
import type { Rows } from "./tables.ts";

const partition = { orgId: "6f9619ff-8b86-4011-b42d-00c04fc964ff", day: "2026-11-20" };
/** Depths whose length takes one byte, two and three. */
const depths = [1, 127, 128, 300, 16_384, 0];

const start = Uint32Array.from([0, ...depths.map((_, i) => depths.slice(0, i + 1).reduce((a, b) => a + b))]);
const table = {
  sampleTypes: [{ type: "samples", unit: "count" }],
  frames: {
    length: 2,
    functionName: ["acme/pay.Charge", "süß\ud800"],
    file: ["pay.go", ""],
    line: Int32Array.of(7, -1),
    startLine: Int32Array.of(5, 0),
  },
  length: depths.length,
  start,
  frame: Uint32Array.from({ length: start.at(-1)! }, (_, i) => (i % 3 === 0 ? 1 : 0)),
  values: [new Float64Array(depths.length)],
};
const ids = hashStacks(table);
const idsOf = (words: Uint32Array, count: number) => [
  ...new BigUint64Array(words.buffer, words.byteOffset, count),
];
const frameIds = idsOf(ids.frameIds, 2);
const stackIds = idsOf(ids.stackIds, depths.length);

function rowsOf(sent: SentDefinitions): Rows {
  const outcome = sent.duringRequest(() => accepted(sent.rowsOf(partition, table, ids)));
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}

/** As the engine writes a UUID: each half in reverse. Then the day, 20,777 days after 1970. */
const rowStart = [0x6f9619ff8b864011n, 0xb42d00c04fc964ffn, 20_777];

function startOf(reader: RowBinaryReader) {
  return [reader.uint64(), reader.uint64(), reader.uint16()];
}

function stacksIn(rows: Buffer) {
  const reader = new RowBinaryReader(rows);
  const stacks: (readonly [bigint, readonly bigint[]])[] = [];
  while (!reader.isAtEnd) {
    expect(startOf(reader)).toEqual(rowStart);
    stacks.push([reader.uint64(), [...reader.uint64s()]]);
  }
  return stacks;
}

const stacksOfTable = stackIds.map(
  (id, i) =>
    [id, [...table.frame.subarray(start[i], start[i + 1])].map((frame) => frameIds[frame]!)] as const,
);

it("writes each new stack with the ids of its frames, the leaf first", () => {
  const parts = stackParts([rowsOf(new SentDefinitions()).stacks!], 10_000_000);
  expect(Array.from(parts, stacksIn)).toEqual([stacksOfTable]);
});

it("writes each new frame once, invalid Unicode replaced", () => {
  const reader = new RowBinaryReader(Buffer.from(rowsOf(new SentDefinitions()).frames!));
  const rowOf = () => [
    startOf(reader),
    reader.uint64(),
    [reader.text(), reader.text(), reader.text()],
    [reader.int64(), reader.int64()],
  ];
  expect([rowOf(), rowOf()]).toEqual([
    [rowStart, frameIds[1], ["süß\ufffd", "", ""], [-1n, 0n]],
    [rowStart, frameIds[0], ["acme/pay.Charge", "acme/pay", "pay.go"], [7n, 5n]],
  ]);
  expect(reader.isAtEnd).toBe(true);
});

it("writes nothing that it has written before", () => {
  const sent = new SentDefinitions();
  rowsOf(sent);
  expect(rowsOf(sent)).toEqual({});
});

it("remembers the stacks of a new day when those of the day before fill its memory", () => {
  const sent = new SentDefinitions(64 * 1024);
  const count = 4000;
  const many = { ...table, length: count, start: new Uint32Array(count + 1) };
  const stackIds = Uint32Array.from({ length: 2 * count }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  const bytesOn = (day: string) =>
    sent.rowsOf({ ...partition, day }, many, { ...ids, stackIds }).stacks?.length ?? 0;
  for (const day of ["2026-11-20", "2026-11-21", "2026-11-22"]) {
    const first = bytesOn(day);
    expect(first).toBeGreaterThan(9 * count);
    expect(bytesOn(day)).toBeLessThan(first / 4);
  }
});

describe("inserts of stacks", () => {
  const { stacks } = rowsOf(new SentDefinitions());
  const rows = [stacks!, new Uint8Array(0), stacks!];

  it.each([1, 40, 1000, 5000, 200_000, 10_000_000])("of %d bytes hold whole rows, each once", (bytesMax) => {
    const inserts = Array.from(stackParts(rows, bytesMax), (part) => Buffer.from(part));
    expect(inserts.flatMap(stacksIn)).toEqual([...stacksOfTable, ...stacksOfTable]);
    for (const part of inserts) {
      if (stacksIn(part).length > 1) expect(part.length).toBeLessThanOrEqual(bytesMax);
    }
  });

  it("are one for the short stacks of many uploads", () => {
    const short = { ...table, length: 1 };
    const { stacks } = new SentDefinitions().rowsOf(partition, short, ids);
    const parts = stackParts(Array(100).fill(stacks), 10_000);
    expect(Array.from(parts, stacksIn)).toEqual([Array(100).fill(stacksOfTable[0])]);
  });

  it("are several times larger than the packed stacks", () => {
    const [bytes] = Array.from(stackParts([stacks!], 10_000_000), ({ length }) => length);
    expect(bytes! / stacks!.length).toBeGreaterThan(6);
  });
});
