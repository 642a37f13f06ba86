import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BatchQueue } from "./batch-queue.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

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
