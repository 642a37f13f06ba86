import { describe, expect, it } from "vitest";
import { labelFilterOf } from "./label-filter.ts";

describe("a filter by labels of samples", () => {
  it.each([
    [undefined, [], []],
    ["handler:/cart", ["handler"], ["/cart"]],
    [
      ["handler:", "url:http://x:80"],
      ["handler", "url"],
      ["", "http://x:80"],
    ],
    [["handler:/cart", "handler:/cart"], ["handler"], ["/cart"]],
  ])("reads %j", (given, labelNames, labelValues) => {
    expect(labelFilterOf(given)).toEqual({ labelNames, labelValues });
  });

  it.each([
    ["handler", "must be NAME:VALUE"],
    [":/cart", "must be NAME:VALUE"],
    [Array.from({ length: 21 }, () => "a:b"), "times at most"],
    [["handler:/cart", "handler:/pay"], "has two values for handler"],
    [["handler:", "handler:/pay"], "has two values for handler"],
  ])("is refused as %j, and names the parameter", (given, text) => {
    expect(() => labelFilterOf(given, "before_labels")).toThrow(/^Query parameter before_labels /);
    expect(() => labelFilterOf(given)).toThrow(text);
  });
});
