import fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

function queueOf(entries: readonly (readonly [orgId: string, cost: number])[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [place, [orgId, cost]] of entries.entries()) queue.push(orgId, cost, `${orgId}${place}`);
  return queue;
}

test("the items of an organization keep their order", () => {
  expect(queueOf([1, 5, 2, 9].map((cost) => ["a", cost])).takeUpTo(Number.POSITIVE_INFINITY)).toEqual([
    "a0",
    "a1",
    "a2",
    "a3",
  ]);
});

test("a quiet organization goes ahead of a backlog that came before", () => {
  const queue = queueOf(Array.from({ length: 1000 }, () => ["flood", 70]));
  for (let taken = 0; taken < 10; taken++) queue.take();
  queue.push("quiet", 70, "quiet");
  const places = [queue.take(), queue.take()];
  expect(places).toContain("quiet");
});

test("large items of one organization count as many small ones of another", () => {
  const queue = queueOf([
    ...Array.from({ length: 10 }, () => ["large", 100] as const),
    ...Array.from({ length: 100 }, () => ["small", 10] as const),
  ]);
  const first = Array.from({ length: 55 }, () => queue.take()!);
  expect(first.filter((item) => item.startsWith("small")).length).toBe(50);
});

test("an organization that had more than its share waits for the others, also after its last item was taken", () => {
  const queue = queueOf([
    ["a", 1000],
    ["b", 10],
    ["b", 10],
    ["b", 10],
  ]);
  expect(queue.take()).toBe("a0");
  queue.push("a", 10, "again");
  expect(queue.takeUpTo(Number.POSITIVE_INFINITY)).toEqual(["b1", "b2", "b3", "again"]);
});

test("a queue that was empty remembers nothing", () => {
  const queue = queueOf([["a", 1000]]);
  expect(queue.take()).toBe("a0");
  queue.push("a", 10, "a");
  queue.push("b", 10, "b");
  expect(queue.takeUpTo(Number.POSITIVE_INFINITY)).toEqual(["a", "b"]);
  expect(queue.take()).toBeUndefined();
});

test("a batch ends with the item that fills it, and takes one that is larger than the whole", () => {
  const queue = queueOf([
    ["a", 60],
    ["a", 60],
    ["a", 500],
    ["a", 1],
  ]);
  expect(queue.cost).toBe(621);
  expect(queue.takeUpTo(100)).toEqual(["a0", "a1"]);
  expect(queue.takeUpTo(100)).toEqual(["a2"]);
  expect(queue.takeUpTo(100)).toEqual(["a3"]);
  expect(queue.takeUpTo(100)).toEqual([]);
  expect(queue.cost).toBe(0);
});

test("a batch has no more than its most, unless its first item alone has", () => {
  const queue = queueOf([60, 30, 20, 200, 1].map((cost) => ["a", cost]));
  expect(queue.takeUpTo(100, 100)).toEqual(["a0", "a1"]);
  expect(queue.takeUpTo(100, 100)).toEqual(["a2"]);
  expect(queue.takeUpTo(100, 100)).toEqual(["a3"]);
  expect([queue.takeUpTo(100, 100), queue.cost]).toEqual([["a4"], 0]);
});

test("organizations that keep waiting get the same, to within their largest items", () => {
  const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 60, maxLength: 60 });
  fc.assert(
    fc.property(fc.array(costs, { minLength: 2, maxLength: 5 }), (orgs) => {
      const queue = new FairQueue<readonly [org: number, cost: number]>();
      for (const [org, own] of orgs.entries()) {
        for (const cost of own) queue.push(String(org), cost, [org, cost]);
      }
      const had = orgs.map(() => 0);
      const left = orgs.map((own) => own.length);
      while (left.every((count) => count > 1)) {
        const [org, cost] = queue.take()!;
        had[org]! += cost;
        left[org]!--;
      }
      expect(Math.max(...had) - Math.min(...had)).toBeLessThanOrEqual(200);
      expect(queue.takeUpTo(Number.POSITIVE_INFINITY).length).toBe(
        left.reduce((sum, count) => sum + count, 0),
      );
    }),
  );
});
