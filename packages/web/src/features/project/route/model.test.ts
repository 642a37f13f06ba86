import type { RouteTimeOfPart } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { barText, evidenceOf, focusStep, isAboutRoute, routeFilter, secondsText, timeBar } from "./model.ts";

const part = (name: RouteTimeOfPart["part"], change: Partial<RouteTimeOfPart> = {}): RouteTimeOfPart => ({
  part: name,
  seconds: 0.01,
  profile_type: name === "cpu" ? "cpu" : "block",
  profiles: 96,
  profiled_seconds: 960,
  requests: 4210,
  found_by: "label",
  function: null,
  reason: null,
  ...change,
});

const unknown = { seconds: null, found_by: null, requests: null, reason: "this range has no block profiles" };
const byFunction = { found_by: "function", function: "shop/cart.(*Service).Show" } as const;

describe("the bar of a route", () => {
  it("has the parts and the rest of the mean latency", () => {
    const parts = [
      part("cpu", { seconds: 0.012 }),
      part("lock", { seconds: 0.008 }),
      part("wait", { seconds: 0.02 }),
    ];
    const bar = timeBar({ mean_seconds: 0.05, parts })!;
    expect(bar.segments.map(({ id, seconds, width }) => [id, seconds, width])).toEqual([
      ["cpu", 0.012, expect.closeTo(0.24)],
      ["lock", 0.008, expect.closeTo(0.16)],
      ["wait", 0.02, expect.closeTo(0.4)],
      ["rest", expect.closeTo(0.01), expect.closeTo(0.2)],
    ]);
    expect(bar.excessSeconds).toBeUndefined();
    expect(barText(bar)).toBe("CPU 12 ms, 24%; Locks 8 ms, 16%; Channels and IO 20 ms, 40%; Rest 10 ms, 20%");
  });

  it("is as long as all parts, where they are more than the latency", () => {
    const bar = timeBar({ mean_seconds: 0.01, parts: [part("cpu", { seconds: 0.03 }), part("wait")] })!;
    expect(bar.segments.map(({ width }) => width)).toEqual([0.75, 0.25, 0]);
    expect(bar.excessSeconds).toBeCloseTo(0.04);
  });

  it("does not mention a few percent more, which are chance", () => {
    const bar = timeBar({ mean_seconds: 0.0098, parts: [part("cpu")] })!;
    expect([bar.segments.at(-1)!.seconds, bar.excessSeconds]).toEqual([0, undefined]);
  });

  it("leaves out what profiles do not tell, and does not exist without requests", () => {
    const bar = timeBar({ mean_seconds: 0.04, parts: [part("cpu"), part("lock", unknown)] })!;
    expect(bar.segments.map(({ seconds, width }) => [seconds, width])).toEqual([
      [0.01, 0.25],
      [null, 0],
      [0.03, 0.75],
    ]);
    expect(barText(bar)).toBe("CPU 10 ms, 25%; Rest 30 ms, 75%");
    expect(timeBar({ mean_seconds: null, parts: [] })).toBeUndefined();
  });
});

it("has no part that is longer than the latency, where the parts add up to a little more", () => {
  const bar = timeBar({ mean_seconds: 0.00679, parts: [part("cpu", { seconds: 0.0069 })] })!;
  expect(bar.segments.map(({ seconds }) => secondsText(seconds))).toEqual(["6.79 ms", "0 s"]);
  expect(bar.excessSeconds).toBeUndefined();
});

it("says what each part is estimated from, once for the same profiles", () => {
  expect(
    evidenceOf([part("cpu"), part("lock", byFunction), part("wait", { ...byFunction, seconds: 0 })]),
  ).toEqual([
    "CPU: estimated from 96 CPU profiles (16 min in total) and 4,210 requests in that time.",
    "Locks, Channels and IO: estimated from 96 block profiles (16 min in total) and 4,210 requests in that time; " +
      "these profiles have no labels, so the estimate uses stacks through cart.(*Service).Show, which only this route runs.",
  ]);
  expect(evidenceOf([part("lock", unknown), part("wait", unknown)])).toEqual([
    "Locks, Channels and IO: this range has no block profiles.",
  ]);
});

it("finds the stacks of a route by its label, or by its function in profiles without labels", () => {
  const label = { name: "handler", value: "/cart" };
  const labelled = { by: "label", labels: { handler: "/cart" } };
  const time = { label, parts: [part("cpu"), part("lock", byFunction)] };
  expect(routeFilter(time, "cpu")).toEqual(labelled);
  expect(routeFilter(time, "mutex")).toEqual({ by: "function", ref: byFunction.function });
  expect(routeFilter({ label, parts: [part("cpu"), part("lock")] }, "block")).toEqual(labelled);
  expect(routeFilter({ ...time, label: null }, "cpu")).toBeUndefined();
  expect(focusStep("a;b\\c")).toBe("focus:a\\;b\\\\c");
});

it.each([
  [undefined, "GET", true],
  ["GET /cart", "GET", true],
  ["POST /cart", "GET", false],
  ["POST /cart", "", true],
  ["/cart", "GET", true],
  ["GET /cart/x", "", false],
])("an alert about %j concerns %j /cart: %j", (text, method, expected) => {
  expect(isAboutRoute(text, { method, path: "/cart" })).toBe(expected);
});
