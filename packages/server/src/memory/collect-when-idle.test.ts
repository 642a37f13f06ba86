import { expect, it } from "vitest";
import { collectGarbage, IdleWatch } from "./collect-when-idle.ts";

it("is due once after the process was busy", () => {
  const watch = new IdleWatch();
  const cores = [1, 0.1, 0.01, 0.01, 0.1, 0.01, 0.5, 0.06, 0.04, 0];
  expect(cores.map((used) => watch.isDue(used))).toEqual([
    ...[false, false, true, false, false],
    ...[false, false, false, true, false],
  ]);
});

it("frees what nothing refers to", () => {
  const bytesOf = () => process.memoryUsage().heapUsed;
  let lists: number[][] = Array.from({ length: 200 }, () =>
    Array.from({ length: 10_000 }, (_, at) => at + 0.5),
  );
  const before = bytesOf();
  expect(lists.length).toBe(200);
  lists = [];
  collectGarbage();
  expect(before - bytesOf()).toBeGreaterThan(10_000_000);
});
