import { expect, it } from "vitest";
import { frameFunctions } from "../names/frame-functions.ts";
import { stacksOf } from "../testing/index.ts";
import { topWaits } from "./top-waits.ts";

const waiting = stacksOf(`
  main.main                          main.serve                         main.serve           main.serve  main.serve
  shop.(*Ledger).Reserve             shop.(*Ledger).Reserve             shop.(*Queue).Take   main.work   main.idle
  sync.(*Mutex).Lock                 sync.(*Mutex).Lock                 runtime.chanrecv1
  internal/sync.(*Mutex).lockSlow    internal/sync.(*Mutex).lockSlow    runtime.gopark
  60                                 15                                 20                   5           0`);

function waitsOf(type: "goroutine" | "mutex" | "block" | "cpu", count = 5) {
  const weights = Float64Array.from(waiting.values[0]!, Number);
  return topWaits(waiting, weights, frameFunctions(waiting.frames), { type, whole: 100, count })?.map(
    ({ name, reason, percent, value }) => [name, reason, percent, value],
  );
}

it("names the function that waits, and the function that it called to wait as the reason", () => {
  expect(waitsOf("block")).toEqual([
    ["shop.(*Ledger).Reserve", "sync.(*Mutex).Lock", 75, 75],
    ["shop.(*Queue).Take", "runtime.chanrecv1", 20, 20],
    ["main.work", "", 5, 5],
  ]);
});

it("gives the state of goroutines as the reason", () => {
  expect(waitsOf("goroutine", 2)).toEqual([
    ["shop.(*Ledger).Reserve", "sync.Mutex.Lock", 75, 75],
    ["shop.(*Queue).Take", "chan receive", 20, 20],
  ]);
});

it("is for profiles of waiting only", () => expect(waitsOf("cpu")).toBeUndefined());
