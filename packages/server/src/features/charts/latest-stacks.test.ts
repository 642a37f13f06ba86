import { describe, expect, it } from "vitest";
import { seriesWeights } from "./latest-stacks.ts";

const a = { tags: { pod: "a", region: "eu" } };
const alsoA = { tags: { region: "eu", pod: "a" } };
const b = { tags: { pod: "b" } };

describe("weights for the growth of series", () => {
  it("take the newest profile of each series less the one before it", () => {
    expect(seriesWeights([a, b, alsoA, b, a, { tags: {} }])).toEqual([1, 1, -1, -1, 0, 0]);
  });

  it("are none where no series has two profiles", () => {
    expect(seriesWeights([a, b])).toBeUndefined();
    expect(seriesWeights([])).toBeUndefined();
  });
});
