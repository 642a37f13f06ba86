import { expect, it } from "vitest";
import { RowBinaryWriter } from "#store/column/client/row-binary.ts";
import type { BytesQuery } from "#store/column/query.ts";
import { blockSeconds, type Part, PartCache } from "./part-cache.ts";
import { type StackTotals, stacksOfParts } from "./stack-sums.ts";

const hour = 1_700_002_800;

/** Profiles by minute, each with one stack whose value is the profile's number. */
class Profiles {
  readonly #values = new Map<number, bigint[]>();
  /** The blocks and minutes that each query read, as minutes of the hour. */
  readonly reads: { readonly blocks: number[]; readonly minutes: number[] }[] = [];

  add(minute: number, value: bigint): void {
    this.#values.set(minute, [...(this.#values.get(minute) ?? []), value]);
  }

  /** The number of profiles in each minute of [from, to). */
  counts(from: number, to: number): Map<number, number> {
    const inRange = [...this.#values].filter(([minute]) => minute >= from && minute < to);
    return new Map(inRange.map(([minute, values]) => [minute, values.length]));
  }

  async queryBytes<P>(_: BytesQuery<P>, params: P): Promise<Buffer> {
    const { from, to, starts, blocks } = params as {
      from: Date;
      to: Date;
      starts: number[];
      blocks: number[];
    };
    const minuteOf = (start: number) => (start - hour) / 60;
    const ofMinutes = starts.filter((start) => !blocks.includes(start));
    this.reads.push({ blocks: blocks.map(minuteOf), minutes: ofMinutes.map(minuteOf) });
    const writer = new RowBinaryWriter(10_000);
    for (const start of starts) {
      const length = blocks.includes(start) ? blockSeconds / 60 : 1;
      const minutes = Array.from({ length }, (_, index) => start + index * 60);
      const values = minutes
        .filter((minute) => minute * 1000 >= from.getTime() && minute * 1000 < to.getTime())
        .flatMap((minute) => this.#values.get(minute) ?? []);
      if (values.length === 0) continue;
      const total = values.reduce((sum, value) => sum + value, 0n);
      writer.uint32(start);
      for (const value of [7n, total, 0n]) writer.array([value], (item) => writer.int64(item));
    }
    return writer.finish();
  }
}

function setUp(bytesMax = 1_000_000) {
  const profiles = new Profiles();
  const engine = { restarts: 0 };
  const parts = new PartCache(() => engine.restarts, bytesMax);
  const read = async (fromMinute: number, toMinute: number) => {
    const [from, to] = [hour + fromMinute * 60, hour + toMinute * 60];
    const range = {
      orgId: "org",
      service: "api",
      type: "cpu",
      sampleType: "cpu/nanoseconds",
      additionalType: "",
      from: new Date(from * 1000),
      to: new Date(to * 1000),
    };
    return sumOf(await parts.read(stacksOfParts(profiles), range, profiles.counts(hour, hour + 3600)));
  };
  for (let minute = 0; minute < 60; minute++) profiles.add(hour + minute * 60, BigInt(minute));
  return { profiles, engine, parts, read };
}

function sumOf(parts: readonly StackTotals[]): bigint {
  return parts.flatMap(({ totals }) => [...totals]).reduce((sum, total) => sum + total, 0n);
}

function sumOfMinutes(from: number, to: number): bigint {
  let sum = 0n;
  for (let minute = from; minute < to; minute++) sum += BigInt(minute);
  return sum;
}

it("reads only the ends of a range that begins and ends later, and those by minute", async () => {
  const { profiles, read } = setUp();
  expect(await read(0, 22)).toBe(sumOfMinutes(0, 22));
  expect(await read(1, 23)).toBe(sumOfMinutes(1, 23));
  expect(profiles.reads).toEqual([
    { blocks: [0, 5, 10, 15], minutes: [20, 21, 22, 23, 24] },
    { blocks: [], minutes: [0, 1, 2, 3, 4] },
  ]);
  for (const [from, to] of [
    [2, 24],
    [4, 25],
    [5, 25],
    [0, 20],
  ] as const)
    expect(await read(from, to)).toBe(sumOfMinutes(from, to));
  expect(profiles.reads).toHaveLength(2);
});

it("reads a block again once it has another profile, and only the minute of a part", async () => {
  const { profiles, read } = setUp();
  await read(0, 22);
  profiles.add(hour + 7 * 60, 1000n);
  profiles.add(hour + 21 * 60, 2000n);
  expect(await read(0, 22)).toBe(sumOfMinutes(0, 22) + 3000n);
  expect(profiles.reads.at(-1)).toEqual({ blocks: [5], minutes: [21] });
});

it("takes a whole block from its minutes, until one of them has another profile", async () => {
  const { profiles, read } = setUp();
  await read(0, 3);
  expect(await read(0, 5)).toBe(sumOfMinutes(0, 5));
  expect(profiles.reads).toHaveLength(1);
  profiles.add(hour + 60, 1000n);
  expect(await read(0, 5)).toBe(sumOfMinutes(0, 5) + 1000n);
  expect(profiles.reads.at(-1)).toEqual({ blocks: [0], minutes: [] });
});

it("reads everything again after a removal and after a restart of the engine", async () => {
  const { profiles, engine, parts, read } = setUp();
  await read(0, 10);
  parts.forget();
  await read(0, 10);
  engine.restarts++;
  await read(0, 10);
  await read(0, 10);
  expect(profiles.reads.map((each) => each.blocks)).toEqual([
    [0, 5],
    [0, 5],
    [0, 5],
  ]);
});

it("caches nothing that was read while rows were removed", async () => {
  const { profiles, parts, read } = setUp();
  const reading = read(0, 10);
  parts.forget();
  await reading;
  await read(0, 10);
  expect(profiles.reads).toHaveLength(2);
});

it("keeps totals of the additional sample type and of other series apart", async () => {
  const { profiles, parts } = setUp();
  const range = {
    orgId: "org",
    service: "api",
    type: "cpu",
    sampleType: "cpu/nanoseconds",
    additionalType: "",
    from: new Date(hour * 1000),
    to: new Date((hour + 300) * 1000),
  };
  const minutes = profiles.counts(hour, hour + 300);
  const others = [
    { orgId: "other" },
    { service: "web" },
    { type: "memory" },
    { sampleType: "samples/count" },
    { additionalType: "samples/count" },
  ];
  await parts.read(stacksOfParts(profiles), range, minutes);
  for (const other of others) await parts.read(stacksOfParts(profiles), { ...range, ...other }, minutes);
  expect(profiles.reads).toHaveLength(1 + others.length);
  await parts.read(stacksOfParts(profiles), range, minutes);
  expect(profiles.reads).toHaveLength(1 + others.length);
});

it("caches nothing with a limit of 0", async () => {
  const { profiles, read } = setUp(0);
  await read(0, 10);
  expect(await read(0, 10)).toBe(sumOfMinutes(0, 10));
  expect(profiles.reads).toHaveLength(2);
});

it("keeps sums that are lists apart, from blocks and from minutes", async () => {
  const cache = new PartCache(() => 0, 1_000_000);
  const reads: number[] = [];
  const reader = {
    name: "lists",
    keyOf: () => "",
    read: async (_: unknown, parts: readonly Part[]) => {
      reads.push(parts.length);
      return new Map(parts.map(({ start, profiles }) => [start, [profiles, profiles]]));
    },
    empty: [],
    bytesOf: () => 16,
  };
  const minutes = new Map(Array.from({ length: 5 }, (_, minute) => [hour + minute * 60, 1]));
  const read = (from: number, to: number) =>
    cache.read(
      reader,
      { from: new Date((hour + from * 60) * 1000), to: new Date((hour + to * 60) * 1000) },
      minutes,
    );
  expect(await read(3, 5)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(await read(0, 5)).toEqual(Array.from({ length: 5 }, () => [1, 1]));
  expect(reads).toEqual([5]);
});
