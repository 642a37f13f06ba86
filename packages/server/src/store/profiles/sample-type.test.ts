import { describe, expect, it } from "vitest";
import { inOrderOf, sampleTypeIndex } from "./sample-type.ts";

const heap = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];

describe("the sample type a caller names", () => {
  it("is found by its name, with or without the unit", () => {
    expect(sampleTypeIndex(heap, "alloc_space")).toBe(1);
    expect(sampleTypeIndex(heap, "inuse_space/bytes")).toBe(3);
    expect(sampleTypeIndex(["shop/open_carts/count"], "shop/open_carts")).toBe(0);
  });

  it("is left to the profile when none is named", () => {
    expect(sampleTypeIndex(heap, undefined)).toBeUndefined();
  });

  it("is refused with the names there are", () => {
    expect(() => sampleTypeIndex(heap, "cpu")).toThrow(
      'no sample type "cpu"; it has alloc_objects, alloc_space, inuse_objects, inuse_space',
    );
  });
});

it("sample types are in the order of a profile, those that it lacks first", () => {
  expect(
    inOrderOf(["z/count", "a/count", "x/count", "b/count"], { sampleTypes: ["b/count", "a/count"] }),
  ).toEqual(["x/count", "z/count", "b/count", "a/count"]);
});
