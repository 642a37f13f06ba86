import { expect, it } from "vitest";
import { closures, hourlyFunctions, summedFunctions, withoutClosures } from "./function-figures.ts";

it.each([
  ["main.run.func1", "main.run"],
  ["main.(*Server).run.func2.1", "main.(*Server).run"],
  ["main.run.gowrap1", "main.run"],
  ["main.run.deferwrap2", "main.run"],
  ["main.run-range1", "main.run"],
  ["main.function", "main.function"],
  ["main.run.func1x", "main.run.func1x"],
  ["main.func", "main.func"],
  ["shop.V2", "shop.V2"],
  ["main.1.func", "main.1.func"],
  ["main.run.func1-range2.3.gowrap4", "main.run"],
  ["com.example.Cart.total", "com.example.Cart.total"],
])("%s counts as %s", (name, outer) => {
  expect(withoutClosures(name)).toBe(outer);
  // As ClickHouse reads it.
  expect(name.replace(new RegExp(closures), "")).toBe(outer);
});

const sums = (value: number) => [value, value, value, 10 * value];

it("lines that a release moved are one function, and equal names in two files are two where names do not carry the file", () => {
  const row = (name: string, file: string, startLine: number, value: number) => ({
    ...{ name, file, startLine },
    self: sums(value),
    total: sums(2 * value),
    whole: sums(100),
    smallest: 1,
  });
  const functions = summedFunctions([
    row("main.run", "/app/main.go", 10, 1),
    row("main.run", "/app/main.go", 12, 2),
    row("handler", "/app/src/cart.js", 1, 4),
    row("handler", "/app/src/order.js", 1, 8),
  ]);
  expect(functions.map(({ name, self, total }) => [name, self.newest[0], total.before])).toEqual([
    ["main.run", 3, 60],
    ["handler", 4, 80],
    ["handler", 8, 160],
  ]);
});

it("hours without a row have no value", () => {
  const row = {
    name: "main.run",
    file: "/app/main.go",
    startLine: 1,
    hours: [7200, 0],
    self: [2, 1],
    total: [4, 3],
  };
  const [run] = hourlyFunctions([row], { length: 4, indexOf: (hour) => hour / 3600 });
  expect([...run!.self]).toEqual([1, 0, 2, 0]);
  expect([...run!.total]).toEqual([3, 0, 4, 0]);
});
