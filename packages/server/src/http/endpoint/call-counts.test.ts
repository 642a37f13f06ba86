import { expect, test } from "vitest";
import { CallCounts } from "./call-counts.ts";

const minuteMs = 60_000;

function countsFrom() {
  const clock = { ms: 0 };
  const counts = new CallCounts(() => clock.ms);
  const call = (limit: string, caller: string) => {
    let counted: { current: number; ttl: number } | undefined;
    counts.storeOf(limit).incr(caller, (_error, result) => (counted = result), minuteMs, 1);
    return counted;
  };
  return { clock, counts, call };
}

test("calls of a caller are counted for a minute, together with those at other servers", () => {
  const { clock, counts, call } = countsFrom();
  expect(call("reads", "a")).toEqual({ current: 1, ttl: minuteMs });
  counts.noteOthers({ reads: { a: 3 }, writes: { a: 9 } });
  clock.ms = 10_000;
  expect(call("reads", "a")).toEqual({ current: 5, ttl: 50_000 });
  expect(call("reads", "b")?.current).toBe(1);
  clock.ms = minuteMs;
  expect(call("reads", "a")).toEqual({ current: 1, ttl: minuteMs });
});

test("each call is shared once, while its minute runs", () => {
  const { clock, counts, call } = countsFrom();
  call("reads", "a");
  call("reads", "a");
  counts.noteOthers({ reads: { a: 5, b: 5 } });
  expect(counts.takeUnshared()).toEqual({ reads: { a: 2 } });
  expect(counts.takeUnshared()).toBeUndefined();
  call("reads", "a");
  clock.ms = minuteMs;
  expect(counts.takeUnshared()).toBeUndefined();
  expect(counts.together({ reads: { a: 1 } }, { reads: { a: 2, b: 3 }, writes: { c: 4 } })).toEqual({
    reads: { a: 3, b: 3 },
    writes: { c: 4 },
  });
});

test("of many callers, those that were counted last are remembered, and a message has a part of them", () => {
  const { counts, call } = countsFrom();
  for (let n = 0; n < 10_001; n++) call("reads", `address:${n}`);
  expect(call("reads", "address:1")?.current).toBe(2);
  expect(call("reads", "address:0")?.current).toBe(1);
  const shared = [1, 2, 3].map(() => Object.keys(counts.takeUnshared()?.["reads"] ?? {}).length);
  expect(shared).toEqual([5_000, 5_000, 0]);
});
