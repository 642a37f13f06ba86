import { stacksOf } from "@flamekeep/flame/testing";
import { type ProfileType, pairStacks } from "@flamekeep/profile";
import { expect, it } from "vitest";
import { functionChanges } from "./function-changes.ts";
import { columnsOf } from "./range-tasks.ts";

const before = "main;ask;runtime.chansend1;runtime.gopark 2\nmain;sync.(*Mutex).Lock 4";
const after = "main;ask;runtime.chansend1;runtime.gopark 9\nmain;sync.(*Mutex).Lock 1";
const table = pairStacks(
  { stacks: stacksOf(before), sampleType: 0 },
  { stacks: stacksOf(after), sampleType: 0 },
);

const ownValues = (type: ProfileType) =>
  functionChanges(columnsOf(table, 0, 1), columnsOf(table, 1, 1), type)
    .filter(({ selfBefore, selfAfter }) => selfBefore + selfAfter > 0)
    .map(({ name, selfBefore, selfAfter }) => [name, selfBefore, selfAfter]);

it.each(["goroutine", "mutex", "block"] as const)(
  "has the waits of %s at the functions that wait",
  (type) => {
    expect(ownValues(type)).toEqual([
      ["ask", 2, 9],
      ["main", 4, 1],
    ]);
  },
);

it("has the own values of other types at the functions themselves", () => {
  expect(ownValues("cpu")).toEqual([
    ["runtime.gopark", 2, 9],
    ["sync.(*Mutex).Lock", 4, 1],
  ]);
});

it("sums the totals of a function that recurses once per stack", () => {
  const recursive = pairStacks(
    { stacks: stacksOf("f;f;g 3"), sampleType: 0 },
    { stacks: stacksOf("f;f;g 10"), sampleType: 0 },
  );
  const changes = functionChanges(columnsOf(recursive, 0, 1), columnsOf(recursive, 1, 1), "cpu");
  expect(changes.find(({ name }) => name === "f")).toMatchObject({ totalBefore: 3, totalAfter: 10 });
});
