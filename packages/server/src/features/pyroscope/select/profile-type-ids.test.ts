import { type GraphType, graphTypes, profileTypeEntry } from "@flamekeep/contract";
import { expect, test } from "vitest";
import { parseProfileTypeId, partsOf } from "./profile-type-ids.ts";

test.each<[GraphType, string, string]>([
  ["cpu", "cpu/nanoseconds", "process_cpu:cpu:nanoseconds:cpu:nanoseconds"],
  ["cpu", "samples/count", "process_cpu:samples:count:cpu:nanoseconds"],
  ["memory", "inuse_space/bytes", "memory:inuse_space:bytes:space:bytes"],
  ["memory", "alloc_objects/count", "memory:alloc_objects:count:space:bytes"],
  ["goroutine", "goroutine/count", "goroutine:goroutine:count:goroutine:count"],
  ["mutex", "contentions/count", "mutex:contentions:count:contentions:count"],
  ["block", "delay/nanoseconds", "block:delay:nanoseconds:contentions:count"],
  ["wall", "wall/nanoseconds", "wall:wall:nanoseconds:wall:nanoseconds"],
  ["goroutine_leak", "goroutineleak/count", "goroutineleak:goroutineleak:count:goroutineleak:count"],
  ["custom", "my/open:carts/count", "custom:my/open%3Acarts:count:my/open%3Acarts:count"],
])("%s %s is %s, and back", (type, sampleType, id) => {
  expect(partsOf({ type, sampleType }).ID).toBe(id);
  expect(parseProfileTypeId(id)).toEqual({ type, sampleType });
});

test("every type of the contract has a separate id", () => {
  const ids = graphTypes.map((type) => {
    const [sampleType = "carts/count"] = profileTypeEntry(type).measuredBy as readonly string[];
    const { ID } = partsOf({ type, sampleType });
    expect(parseProfileTypeId(ID)).toEqual({ type, sampleType });
    return ID;
  });
  expect(new Set(ids).size).toBe(graphTypes.length);
  expect(ids.length).toBeGreaterThanOrEqual(8);
});

test("other spellings are understood, and others refused", () => {
  expect(parseProfileTypeId("goroutines:goroutine:count:goroutine:count").type).toBe("goroutine");
  expect(parseProfileTypeId("process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta").type).toBe("cpu");
  expect(parseProfileTypeId("fgprof:wall:nanoseconds:wall:nanoseconds").type).toBe("custom");
  for (const id of ["", "cpu", "a:b:c:d", "a:b:c:d:e:f:g", ":cpu:nanoseconds:cpu:nanoseconds"])
    expect(() => parseProfileTypeId(id)).toThrow(/profile type must be/);
});
