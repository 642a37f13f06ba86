import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BatchQueue } from "./batch-queue.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A queue after a batch of these organizations' bytes that took 100 ms to write. */
function queueAfter(batch: Readonly<Record<string, number>>): BatchQueue<string> {
  const queue = new BatchQueue<string>();
  for (const [orgId, bytes] of Object.entries(batch)) queue.push(orgId, bytes, orgId);
  queue.take();
  queue.noteWritten(100);
  return queue;
}

/** Milliseconds from now until the batch is due. */
async function dueIn(queue: BatchQueue<string>): Promise<number> {
  const from = performance.now();
  let dueAt: number | undefined;
  void queue.gathered().then(() => {
    dueAt = performance.now();
  });
  while (dueAt === undefined) await vi.advanceTimersByTimeAsync(1);
  return Math.round(dueAt - from);
}

test("a batch waits 25 ms for more items, or half as long as the previous batch took to write", async () => {
  const queue = new BatchQueue<string>();
  queue.push("a", 1, "a");
  expect(await dueIn(queue)).toBe(25);
  const loaded = queueAfter({ a: 1000 });
  loaded.push("a", 1, "a");
  expect(await dueIn(loaded)).toBe(50);
});

test("a full batch is due at once", async () => {
  const queue = queueAfter({ a: 1000 });
  queue.push("a", 16 * 1024 * 1024, "a");
  expect(await dueIn(queue)).toBeLessThanOrEqual(1);
});

test("an organization that sends little shortens the pause caused by one that fills the batches", async () => {
  const early = queueAfter({ flood: 1000, quiet: 100 });
  early.push("flood", 1000, "flood");
  early.push("quiet", 100, "quiet");
  expect(await dueIn(early)).toBe(25);

  const late = queueAfter({ flood: 1000 });
  late.push("flood", 1000, "flood");
  const due = dueIn(late);
  await vi.advanceTimersByTimeAsync(10);
  late.push("quiet", 1, "quiet");
  expect(await due).toBeLessThan(40);
  expect(late.take()).toEqual(["flood", "quiet"]);
});

test("an item that arrives shortly before a batch is due does not delay it", async () => {
  const queue = queueAfter({ flood: 1000 });
  queue.push("flood", 1000, "flood");
  const due = dueIn(queue);
  await vi.advanceTimersByTimeAsync(40);
  queue.push("quiet", 1, "quiet");
  expect(await due).toBe(50);
});

test("many organizations that send alike let the engine rest", async () => {
  const queue = queueAfter(Object.fromEntries(Array.from({ length: 50 }, (_, place) => [place, 10])));
  queue.push("another", 10, "another");
  expect(await dueIn(queue)).toBe(50);
});

test("batches stay short while a small organization sends next to one that fills them", () => {
  const megabyte = 1024 * 1024;
  const queue = new BatchQueue<string>();
  const flood = () => {
    for (let place = 0; place < 30; place++) queue.push("flood", megabyte, "flood");
  };
  flood();
  expect(queue.take()).toHaveLength(30);
  queue.noteWritten(600);
  flood();
  queue.push("quiet", 1000, "quiet");
  // 30 MB took 600 ms, so 5 MB should take 100 ms.
  expect(queue.take().filter((orgId) => orgId === "flood")).toHaveLength(5);
  queue.noteWritten(50);
  // Faster than expected: about twice as much is taken next.
  expect(queue.take().length).toBeGreaterThan(9);
  queue.noteWritten(100);
  vi.advanceTimersByTime(5000);
  flood();
  expect(queue.take().length).toBeGreaterThan(30);
});
