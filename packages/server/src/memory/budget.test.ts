import { expect, it } from "vitest";
import { readConfig } from "#config";
import { definitionBytesMax, memoryBudget, memoryLimit, tooLittleMemory } from "./budget.ts";

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const server = { CLICKHOUSE_URL: "http://ch:8123" };
/** All in MiB, and what the server takes without work. */
function limits(env: Record<string, string>, limitBytes: number) {
  const { ingest, columns, threads, flameGraphCacheBytesMax } = readConfig(env, limitBytes);
  const embedded = columns.kind === "embedded" ? columns : undefined;
  return {
    queue: ingest.queueBytes / MiB,
    cache: (flameGraphCacheBytesMax + (embedded?.readCacheBytesMax ?? 0)) / MiB,
    engine: (embedded?.memoryBytesMax ?? 0) / MiB,
    encoding: threads.encodingMax,
    definitions: (threads.encodingMax * definitionBytesMax(limitBytes)) / MiB,
    encodingHeaps: (threads.encodingMax * threads.encodingHeapBytesMax) / MiB,
    decodingHeaps: ((threads.isDecodingShared ? 1 : 2) * threads.decodingHeapBytesMax) / MiB,
    idle: 170,
  };
}

it("nothing is limited where there is much", () => {
  const { engine, ...others } = limits({}, 64 * GiB);
  expect(others).toEqual({
    queue: 128,
    cache: 32,
    encoding: 4,
    definitions: 4 * 83,
    encodingHeaps: 4 * 512,
    decodingHeaps: 2 * 1024,
    idle: 170,
  });
  expect(engine * MiB).toBe(500_000_000);
});

it("all parts together fit into every limit that the server starts with", () => {
  for (const [least, env] of [
    [640, {}],
    [384, server],
  ] as const) {
    for (let limit = least; limit <= 8192; limit += 64) {
      const { encoding: _, ...parts } = limits(env, limit * MiB);
      const sum = Object.values(parts).reduce((a, b) => a + b, 0);
      expect(sum, `${limit} MiB`).toBeLessThanOrEqual(limit);
      expect(parts.decodingHeaps).toBeGreaterThan(96);
    }
  }
});

it("queue, caches, threads and engine follow a smaller limit", () => {
  const { queue, cache, engine, encoding } = limits({}, 640 * MiB);
  expect([queue, cache, engine, encoding]).toEqual([40, 10, 256, 1]);
  expect(memoryBudget(768 * MiB, "embedded").queueBytesMax).toBe(48 * MiB);
  expect(limits(server, 640 * MiB)).toMatchObject({ engine: 0, cache: 0, queue: 40 });
});

it("a setting wins over the limit", () => {
  const { queue, cache } = limits({ INGEST_QUEUE_BYTES: String(64 * MiB), READ_CACHE_BYTES: "0" }, 640 * MiB);
  expect([queue, cache]).toEqual([64, 0]);
});

it("the queue takes the largest request, whatever the limit", () => {
  expect(limits({ INGEST_MAX_BYTES: String(40 * MiB) }, 640 * MiB).queue).toBe(40);
});

it("too little memory is said with both figures", () => {
  expect(tooLittleMemory(640 * MiB, "embedded")).toBeUndefined();
  expect(tooLittleMemory(400 * MiB, "embedded")).toBe(
    "The memory of this container or machine is limited to 400 MiB, and Flamekeep needs at least 640 MiB: raise the limit",
  );
  expect(tooLittleMemory(400 * MiB, "url")).toBeUndefined();
  expect(tooLittleMemory(300 * MiB, "url")).toMatch(/needs at least 384 MiB with CLICKHOUSE_URL: raise/);
  expect(tooLittleMemory(memoryLimit(), "embedded")).toBeUndefined();
});
