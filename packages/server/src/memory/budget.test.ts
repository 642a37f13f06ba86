import { expect, it } from "vitest";
import { readConfig } from "#config";
import { memoryBudget, memoryBytesMin, memoryLimit, tooLittleMemory } from "./budget.ts";

const MiB = 2 ** 20;
const limits = (env: Record<string, string>, limitBytes: number) => {
  const { ingest, columns, encodingThreadsMax } = readConfig(env, limitBytes);
  return {
    queue: ingest.queueBytes / MiB,
    cache: columns.kind === "embedded" ? (columns.readCacheBytesMax ?? 0) / MiB : undefined,
    engine: columns.kind === "embedded" && columns.memoryBytesMax ? columns.memoryBytesMax / MiB : undefined,
    threads: encodingThreadsMax,
  };
};

it("nothing changes where there is a gigabyte or more", () => {
  const usual = { queue: 128, cache: 16, engine: undefined, threads: undefined };
  expect(limits({}, 1024 * MiB)).toEqual(usual);
  expect(limits({}, 64 * 1024 * MiB)).toEqual(usual);
});

it("queue, caches, threads and engine follow a smaller limit", () => {
  const { queue, cache, engine, threads } = limits({}, 640 * MiB);
  expect([queue, cache, threads]).toEqual([40, 5, 1]);
  expect(engine).toBe(288);
  const budget = memoryBudget(768 * MiB);
  expect(budget.queueBytesMax).toBe(48 * MiB);
});

it("a setting wins over the limit", () => {
  const { queue, cache } = limits({ INGEST_QUEUE_BYTES: String(64 * MiB), READ_CACHE_BYTES: "0" }, 640 * MiB);
  expect([queue, cache]).toEqual([64, 0]);
});

it("the queue takes the largest request, whatever the limit", () => {
  expect(limits({ INGEST_MAX_BYTES: String(40 * MiB) }, 640 * MiB).queue).toBe(40);
});

it("too little memory is said with both figures", () => {
  expect(tooLittleMemory(memoryBytesMin)).toBeUndefined();
  expect(tooLittleMemory(400 * MiB)).toBe(
    "The memory of this container or machine is limited to 400 MiB, and Flamekeep needs at least 640 MiB: raise the limit",
  );
  expect(memoryLimit()).toBeGreaterThan(memoryBytesMin);
});
