import { expect, it } from "vitest";
import { grownFunctions, type RisenFigure } from "./describe-functions.ts";

const hours = 12;
const ends = [2, 5, 8];

/** The parts of a service of 100 before and in the newest three hours. */
function values(before: number, after: number): Float64Array {
  return Float64Array.from({ length: hours }, (_, hour) => (hour < hours - 3 ? before : after));
}

function risen(key: string, self: [number, number], total: [number, number]): RisenFigure {
  const hourly = { key, name: key, self: values(...self), total: values(...total) };
  return { before: total[0] / 100, after: total[1] / 100, began: hours - 3, figure: "total", hourly };
}

function growth(name: string, ownBefore: number, ownAfter: number) {
  const self = { selfBefore: 0, selfAfter: 0, totalBefore: ownBefore, totalAfter: ownAfter };
  const place = { file: "/app/shop.go", startLine: 10, line: 12, stackId: "1" };
  return { name, ...place, ...self, ownBefore, ownAfter, allBefore: 100, allAfter: 100 };
}

function sharesOf(figures: readonly RisenFigure[], rows: readonly ReturnType<typeof growth>[]) {
  const found = grownFunctions(figures, [...rows], { totals: values(100, 100), ends, level: 1 });
  return found.map(({ name, share, ownShare }) => [
    name,
    Number(share.toFixed(2)),
    Number(ownShare.toFixed(2)),
  ]);
}

it("the function to look at has its real part of the largest rise", () => {
  const handle = risen("shop.handle", [0, 0], [20, 40]);
  const price = risen("shop.price", [4, 12], [5, 15]);
  const rows = [growth("shop.handle", 5, 9), growth("shop.price.func1", 5, 15)];
  expect(sharesOf([handle, price], rows)).toEqual([
    ["shop.price.func1", 0.4, 0.5],
    ["shop.handle", 0, 0],
  ]);
});

it("a function of a library has the part of all it calls, and is named however small that is", () => {
  const encode = risen("json.Encode", [2, 8], [5, 15]);
  expect(sharesOf([encode], [growth("json.Encode", 0, 0)])).toEqual([["json.Encode", 0.6, 1]]);
  const run = risen("runtime.run", [0, 0], [20, 40]);
  const leaf = risen("runtime.leaf", [0.4, 1.2], [0.4, 1.2]);
  expect(sharesOf([run, leaf], [])[0]).toEqual(["runtime.leaf", 0.04, 0.05]);
});
