import { compared } from "@flamekeep/flame/testing";
import { expect, it } from "vitest";
import { extremesOf } from "./summary.tsx";

const tree = compared(
  "main;ask;runtime.chansend;runtime.gopark 2\nmain;sync.(*Mutex).Lock 4",
  "main;ask;runtime.chansend;runtime.gopark 9\nmain;sync.(*Mutex).Lock 1",
);
const namesOf = (type: string) => {
  const { most, least } = extremesOf(tree, type);
  return [most, least].map((each) => each && [tree.functions.name[each.fn], each.before, each.after]);
};

it("names the functions that wait, not the functions of the runtime in which they wait", () => {
  expect(namesOf("goroutine")).toEqual([
    ["ask", 2, 9],
    ["main", 4, 1],
  ]);
});

it("names the functions whose self values changed most where values are work", () => {
  expect(namesOf("cpu")).toEqual([
    ["runtime.gopark", 2, 9],
    ["sync.(*Mutex).Lock", 4, 1],
  ]);
});

it("names none where nothing grew or shrank", () => {
  const same = compared("main 1", "main 1");
  expect(extremesOf(same, "cpu")).toEqual({ most: undefined, least: undefined });
});
