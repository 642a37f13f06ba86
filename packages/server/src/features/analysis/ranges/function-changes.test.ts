import type { ProfileType } from "@flamekeep/contract";
import { stacksOf } from "@flamekeep/flame/testing";
import { pairStacks } from "@flamekeep/profile";
import { expect, it } from "vitest";
import { StackIndex } from "#rules/stack-index.ts";
import { functionChanges } from "./function-changes.ts";
import { columnsOf } from "./range-tasks.ts";

const before = "main;ask;runtime.chansend1;runtime.gopark 2\nmain;sync.(*Mutex).Lock 4";
const after = "main;ask;runtime.chansend1;runtime.gopark 9\nmain;sync.(*Mutex).Lock 1";
const table = pairStacks(
  { stacks: stacksOf(before), sampleType: 0 },
  { stacks: stacksOf(after), sampleType: 0 },
);

const ownValues = (type: ProfileType) =>
  functionChanges({ before: columnsOf(table, 0, 1), after: columnsOf(table, 1, 1) }, type)
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
  const changes = functionChanges(
    { before: columnsOf(recursive, 0, 1), after: columnsOf(recursive, 1, 1) },
    "cpu",
  );
  expect(changes.find(({ name }) => name === "f")).toMatchObject({ totalBefore: 3, totalAfter: 10 });
});

it("adds what libraries and the runtime do for a function of the application to its own value", () => {
  const pair = pairStacks(
    { stacks: stacksOf("main.main;shop.ask;encoding/json.Marshal;runtime.mallocgc 3"), sampleType: 0 },
    {
      stacks: stacksOf(
        "main.main;shop.ask;encoding/json.Marshal;runtime.mallocgc 9\nmain.main;shop.ask 2\nruntime.gcBgMarkWorker 5",
      ),
      sampleType: 0,
    },
  );
  const { innermost } = new StackIndex(pair);
  const changes = functionChanges(
    { before: columnsOf(pair, 0, 1), after: columnsOf(pair, 1, 1), innermost },
    "cpu",
  );
  const own = changes.filter(({ ownBefore, ownAfter }) => ownBefore + ownAfter > 0);
  expect(own.map(({ name, ownBefore, ownAfter }) => [name, ownBefore, ownAfter])).toEqual([
    ["shop.ask", 3, 11],
  ]);
});

it("keeps functions of one name in two files apart, and matches those of two builds in different folders", () => {
  const build = (folder: string, cart: number) =>
    stacksOf(`run@${folder}/api/cart.py:3 ${cart}\nrun@${folder}/api/order.py:3 5`);
  const builds = pairStacks(
    { stacks: build("/srv/v1", 2), sampleType: 0 },
    { stacks: build("/opt/v2", 9), sampleType: 0 },
  );
  const changes = functionChanges({ before: columnsOf(builds, 0, 1), after: columnsOf(builds, 1, 1) }, "cpu");
  expect(changes.map(({ name, selfBefore, selfAfter }) => [name, selfBefore, selfAfter])).toEqual([
    ["run", 2, 9],
    ["run", 5, 5],
  ]);
});
