import fc from "fast-check";
import { expect, test } from "vitest";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import {
  type AddedLabels,
  clearCounters,
  encodeRow,
  type ProfileFacts,
  readProfiles,
} from "./profile-columns.ts";

const facts: ProfileFacts = {
  orgId: "00112233-4455-6677-8899-aabbccddeeff",
  service: "checkout",
  type: "cpu",
  startedAtMs: 1_763_632_800_123,
  profileId: "0123456789abcdef0123456769201234",
  receivedAtMs: 1_763_632_801_000,
  durationNs: 10_000_000_000n,
  tags: new Map([["région", "eu"]]),
  extraFacts: new Map(),
  sampleTypes: ["samples/count"],
  totals: [3n],
  sampleCount: 7,
  stackCount: 2,
  originalBytes: 70_000,
  rawBytes: 4_000_000_000,
  contentHash: "ab",
  trimmed: new Map([["labels", 2 ** 40]]),
  sender: "api",
  areLabelsRecorded: true,
};

/** Eight arrays without elements follow the facts. */
const factsLength = (of: ProfileFacts) =>
  encodeRow(of, { stackIds: new Uint32Array(), totals: [], values: [], labels: undefined }).length - 8;

interface ReadRow {
  readonly sets: readonly (readonly string[])[];
  readonly setOf: readonly number[];
  readonly ids: bigint[];
  readonly totals: bigint[];
  readonly values: bigint[][];
  readonly labelTotals: bigint[][];
  readonly snapshot: { readonly ids: bigint[]; readonly values: bigint[][] };
}

function read(row: Uint8Array): ReadRow {
  const reader = new RowBinaryReader(Buffer.from(row).subarray(factsLength(facts)));
  const sets = Array.from({ length: reader.length() }, () =>
    Array.from({ length: 2 * reader.length() }, () => reader.text()),
  );
  const setOf = Array.from({ length: reader.length() }, () => reader.uint16());
  const ids = [...reader.uint64s()];
  const totals = [...reader.int64s()];
  const values = Array.from({ length: reader.length() }, () => [...reader.int64s()]);
  const labelTotals = Array.from({ length: reader.length() }, () => [...reader.int64s()]);
  const snapshot = {
    ids: [...reader.uint64s()],
    values: Array.from({ length: reader.length() }, () => [...reader.int64s()]),
  };
  expect(reader.isAtEnd).toBe(true);
  return { sets, setOf, ids, totals, values, labelTotals, snapshot };
}

const unlabelled = { sets: [], setOf: [], labelTotals: [], snapshot: { ids: [], values: [] } };

const anyValues = fc.array(fc.maxSafeInteger(), { maxLength: 300 });

test("doubles and 64-bit integers are the same words", () => {
  fc.assert(
    fc.property(anyValues, (numbers) => {
      const stackIds = BigUint64Array.from(numbers, (_, i) => (BigInt(i) << 33n) + 1n);
      const values = [Float64Array.from(numbers), BigInt64Array.from(numbers, BigInt)];
      const expected = numbers.map(BigInt);
      expect(read(encodeRow(facts, { stackIds, totals: [5n, -5n], values, labels: undefined }))).toEqual({
        ...unlabelled,
        ids: [...stackIds],
        totals: [5n, -5n],
        values: [expected, expected],
      });
    }),
  );
});

test("values beyond the precision of doubles are stored exactly, and a total beyond 64 bits wraps around", () => {
  const column = BigInt64Array.of(2n ** 53n + 1n, -(2n ** 63n));
  const row = encodeRow(facts, {
    stackIds: Uint32Array.of(1, 0, 2, 0),
    totals: [2n ** 63n],
    values: [column],
    labels: undefined,
  });
  expect(read(row)).toEqual({ ...unlabelled, ids: [1n, 2n], totals: [-(2n ** 63n)], values: [[...column]] });
});

test("clears the additions of counters, and keeps the gauges and the values that were sent", () => {
  for (const count of [0, 1, 127, 128, 300]) {
    const stackIds = BigUint64Array.from({ length: count }, (_, i) => BigInt(i));
    const column = Float64Array.from({ length: count }, (_, i) => i + 1);
    const values = [column, column, column];
    const snapshot = { stackIds, values };
    const row = encodeRow(facts, { stackIds, totals: [1n, 2n, 3n], values, labels: undefined, snapshot });
    clearCounters(row, [true, false, true]);
    const zeros = Array.from({ length: count }, () => 0n);
    expect(read(row)).toEqual({
      ...unlabelled,
      ids: [...stackIds],
      totals: [0n, 2n, 0n],
      values: [zeros, Array.from(column, BigInt), zeros],
      snapshot: { ids: [...stackIds], values: values.map((each) => Array.from(each, BigInt)) },
    });
  }
});

test("clears the additions of counters in the totals of labels, and keeps the labels", () => {
  for (const setCount of [1, 127, 128]) {
    const stackIds = BigUint64Array.from({ length: 300 }, (_, i) => BigInt(i));
    const column = Float64Array.from({ length: 300 }, () => 2);
    const labels: AddedLabels = {
      sets: Array.from({ length: setCount }, (_, i) => new Map([["handler", `/${i}`]])),
      setOf: Uint16Array.from({ length: 300 }, (_, i) => i % (setCount + 1)),
      totals: [new Float64Array(setCount).fill(5), new Float64Array(setCount).fill(6)],
    };
    const row = encodeRow(facts, { stackIds, totals: [1n, 2n], values: [column, column], labels });
    clearCounters(row, [true, false]);
    const found = read(row);
    expect(found.sets).toEqual(labels.sets.map((set) => [...set].flat()));
    expect(found.setOf).toEqual([...labels.setOf]);
    expect(found.totals).toEqual([0n, 2n]);
    expect(found.values.map((each) => new Set(each))).toEqual([new Set([0n]), new Set([2n])]);
    expect(found.labelTotals).toEqual([Array(setCount).fill(0n), Array(setCount).fill(6n)]);
  }
});

test("what lists sum is read from rows of any length", () => {
  const wide = {
    ...facts,
    tags: new Map([["version", "x".repeat(200)]]),
    sampleTypes: ["a/count", "b/bytes"],
  };
  const labels: AddedLabels = {
    sets: [new Map([["handler", "/"]]), new Map()],
    setOf: Uint16Array.of(1, 2, 0),
    totals: [Float64Array.of(1, 2), Float64Array.of(3, 4)],
  };
  const values = [Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6)];
  const rows = Buffer.concat([
    encodeRow(facts, {
      stackIds: new Uint32Array(),
      totals: [7n],
      values: [new Float64Array()],
      labels: undefined,
      snapshot: { stackIds: BigUint64Array.of(9n, 10n), values: [Float64Array.of(11, 12)] },
    }),
    encodeRow(wide, { stackIds: BigUint64Array.of(1n, 2n, 3n), totals: [6n, -15n], values, labels }),
  ]);
  const { service, type, startedAtMs } = facts;
  const common = {
    service,
    type,
    startedMs: Float64Array.of(startedAtMs),
    durationNs: Float64Array.of(1e10),
    sampleCounts: Float64Array.of(7),
  };
  const read = readProfiles(rows);
  expect(read).toMatchObject([
    { ...common, sampleTypes: ["samples/count"], deltas: Float64Array.of(7) },
    { ...common, sampleTypes: ["a/count", "b/bytes"], deltas: Float64Array.of(6, -15) },
  ]);
  expect(read.map(({ stacks }) => stacks())).toEqual([
    {
      sampleTypes: ["samples/count"],
      totals: BigInt64Array.of(7n),
      ids: new BigUint64Array(),
      values: [new BigInt64Array()],
    },
    {
      sampleTypes: ["a/count", "b/bytes"],
      totals: BigInt64Array.of(6n, -15n),
      ids: BigUint64Array.of(1n, 2n, 3n),
      values: [BigInt64Array.of(1n, 2n, 3n), BigInt64Array.of(4n, 5n, 6n)],
    },
  ]);
});

test("facts of any length fit", () => {
  const tags = new Map([["version", "🔥".repeat(5000)]]);
  const shorter = factsLength(facts) - "régioneu".length - 3;
  expect(factsLength({ ...facts, tags })).toBe(shorter + "version".length + 1 + 20_000 + 3);
});
