import { expect, it } from "vitest";
import { SampledLog } from "./sampled-log.ts";

function recorded() {
  const lines: unknown[] = [];
  const log = new SampledLog((entry, message) => lines.push({ ...entry, message }));
  const add = (kind: string, first: string) => log.add(kind, { kind }, () => lines.push(first));
  return { lines, log, add };
}

it("the first of a kind is written at once, the number of the others with the next flush", () => {
  const { lines, log, add } = recorded();
  for (let i = 0; i < 500; i++) add("a", `a ${i}`);
  add("b", "b 0");
  expect(lines.splice(0)).toEqual(["a 0", "b 0"]);
  log.flush();
  expect(lines.splice(0)).toEqual([
    { kind: "a", suppressed: 499, message: "more requests refused like this one" },
  ]);
  log.flush();
  expect(lines).toEqual([]);
  add("a", "a again");
  expect(lines).toEqual(["a again"]);
});

it("kinds beyond the maximum are counted together", () => {
  const { lines, log, add } = recorded();
  for (let i = 0; i < 1500; i++) add(`kind ${i}`, `first of ${i}`);
  expect(lines.splice(0)).toHaveLength(1000);
  log.flush();
  expect(lines).toEqual([{ suppressed: 500, message: "more requests refused in other ways" }]);
});
