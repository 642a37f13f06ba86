import { expect, it } from "vitest";
import { foldStacks } from "../index.ts";
import { profileOf, stacksOf } from "./profile-of.ts";

it("reads columns as samples and rows as depth", () => {
  const stacks = stacksOf(`
    main     main     main
    handle   handle   gc
    encode   query
    30       50       20`);
  expect(foldStacks(stacks, 0)).toBe("main;handle;encode 30\nmain;handle;query 50\nmain;gc 20\n");
});

it("puts cells of shorter stacks in their columns", () => {
  expect(foldStacks(stacksOf("a   b   c\n    x\n1   2   3"), 0)).toBe("a 1\nb;x 2\nc 3\n");
  expect(() => profileOf("a   b   c\n  x\n1   2   3")).toThrow("is not below a column");
});

it("takes file and line of a cell, and several sample types", () => {
  const profile = profileOf("main.run@/src/a.go:7\n1,2", {
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
  });
  expect(profile.locations.line[0]).toBe(7);
  expect(profile.strings).toContain("/src/a.go");
  expect(profile.sampleTypes[1]).toEqual({ type: "cpu", unit: "nanoseconds" });
});
