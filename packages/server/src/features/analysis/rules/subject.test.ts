import { profileOf } from "@flamekeep/profile/testing";
import { expect, it } from "vitest";
import { subjectOf } from "./subject.ts";
import { cpuSubject } from "./testing/subject-of-picture.ts";

it("is read once with its neighbours, also if some of its stacks are left out", () => {
  const neighbour = cpuSubject("main.serve     \n1              ");
  const calls: string[] = [];
  const subject = subjectOf(profileOf("main.serve\n1"), "cpu", {
    earlier: () => {
      calls.push("earlier");
      return [neighbour];
    },
    related: () => {
      calls.push("related");
      return [neighbour];
    },
  });
  for (const each of [subject.without(new Set([0])), subject.without(new Set()), subject]) {
    expect(each.earlier[0]).toBe(neighbour);
    expect(each.related("cpu")).toBe(neighbour);
  }
  expect(calls).toEqual(["earlier", "related"]);
});
