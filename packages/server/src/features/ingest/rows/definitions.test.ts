import { hashStacks } from "@flamekeep/profile";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { accepted } from "#ingest/upload/refusal.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { IdSet, SentDefinitions } from "./definitions.ts";
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
  expect(Array.from(parts, ({ rows }) => stacksIn(rows))).toEqual([stacksOfTable]);
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

describe("inserts of stacks", () => {
  const { stacks } = rowsOf(new SentDefinitions());
  const rows = [stacks!, new Uint8Array(0), stacks!];

  it.each([1, 40, 1000, 5000, 200_000, 10_000_000])("of %d bytes hold whole rows, each once", (bytesMax) => {
    const inserts = Array.from(stackParts(rows, bytesMax), ({ rows, content }) => ({
      rows: Buffer.from(rows),
      content,
    }));
    expect(inserts.flatMap((part) => stacksIn(part.rows))).toEqual([...stacksOfTable, ...stacksOfTable]);
    for (const part of inserts) {
      const isOneRow = stacksIn(part.rows).length === 1;
      if (!isOneRow) expect(part.rows.length).toBeLessThanOrEqual(bytesMax);
    }
    const contents = inserts.map(({ content }) => Buffer.concat(content).toString("hex"));
    const insertedRows = inserts.map((part) => part.rows.toString("hex"));
    expect(new Set(contents).size).toBe(new Set(insertedRows).size);
  });

  it("are one for the short stacks of many uploads", () => {
    const short = { ...table, length: 1 };
    const { stacks } = new SentDefinitions().rowsOf(partition, short, ids);
    const parts = stackParts(Array(100).fill(stacks), 10_000);
    expect(Array.from(parts, ({ rows }) => stacksIn(rows))).toEqual([Array(100).fill(stacksOfTable[0])]);
  });

  it("are several times larger than the packed stacks", () => {
    const [bytes] = Array.from(stackParts([stacks!], 10_000_000), ({ rows }) => rows.length);
    expect(bytes! / stacks!.length).toBeGreaterThan(6);
  });
});

test("reports each id as new once", () => {
  const word = fc.nat({ max: 40 }).map((n) => (n * 0x9e3779b1) >>> 0);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 500 }), (ids) => {
      const set = new IdSet(1000);
      const known = new Set<string>();
      for (const [low, high] of ids) {
        const isNew = set.add(low, high);
        expect(isNew).toBe((low === 0 && high === 0) || !known.has(`${low}:${high}`));
        if (low !== 0 || high !== 0) known.add(`${low}:${high}`);
      }
      expect(set.size).toBe(known.size);
    }),
  );
});

test("grows, and forgets when it is full", () => {
  const set = new IdSet(10_000);
  for (let i = 1; i <= 10_000; i++) expect(set.add(i, i)).toBe(true);
  expect(set.add(77, 77)).toBe(true);
  expect(set.size).toBe(1);
});

test("finds the missing ids among many, through a salt", () => {
  const set = new IdSet(1000);
  const ids = Uint32Array.from([1, 2, 3, 4, 5, 6, 0, 0, 0x9e3779b1, 0xffffffff]);
  const salt = [0xdeadbeef, 7] as const;
  const put = (place: number) =>
    set.add((ids[2 * place]! ^ salt[0]) >>> 0, (ids[2 * place + 1]! ^ salt[1]) >>> 0);
  expect(set.missing(ids, 5, ...salt)).toEqual([0, 1, 2, 3, 4]);
  put(1);
  put(4);
  expect(set.missing(ids, 5, ...salt)).toEqual([0, 2, 3]);
  expect(set.missing(ids, 2, ...salt)).toEqual([0]);
});
