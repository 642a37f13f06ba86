import { describe, expect, it } from "vitest";
import { type MeasuredSide, normalisationsOf } from "./normalisation.ts";

const side = (given: Partial<MeasuredSide>): MeasuredSide => ({
  profiles: 2,
  durationMs: 20_000,
  requests: 40,
  ...given,
});
const empty = side({ profiles: 0, durationMs: 0, requests: 0 });
const unitsOf = (before: MeasuredSide, after: MeasuredSide) =>
  normalisationsOf(before, after, false).map(({ per }) => per);

describe("the divisors of two sides", () => {
  it("are requests, seconds of one instance and profiles", () => {
    const after = side({ profiles: 1, durationMs: 10_000, requests: 30 });
    expect(normalisationsOf(side({}), after, false)).toEqual([
      { per: "request", before: 40, after: 30 },
      { per: "second", before: 20, after: 10 },
      { per: "profile", before: 2, after: 1 },
    ]);
  });

  it("are not requests where a side has none or does not count them", () => {
    for (const requests of [0, undefined]) {
      expect(unitsOf(side({ requests }), side({}))).toEqual(["second", "profile"]);
      expect(unitsOf(side({}), side({ requests }))).toEqual(["second", "profile"]);
    }
  });

  it("are only profiles where the profiles of a side have no duration", () => {
    const snapshots = side({ durationMs: 0, requests: 0 });
    expect(unitsOf(snapshots, side({}))).toEqual(["profile"]);
    expect(unitsOf(side({}), snapshots)).toEqual(["profile"]);
  });

  it("are those of the other side where a side has no profiles", () => {
    expect(normalisationsOf(empty, side({}), false)).toEqual([
      { per: "request", before: 1, after: 40 },
      { per: "second", before: 1, after: 20 },
      { per: "profile", before: 1, after: 2 },
    ]);
    expect(unitsOf({ ...empty, requests: undefined }, side({}))).toEqual(["second", "profile"]);
    expect(normalisationsOf(empty, empty, false).at(-1)).toEqual({ per: "profile", before: 1, after: 1 });
  });

  it("are 1 for gauges, which are means already", () => {
    expect(normalisationsOf(side({}), side({ profiles: 1 }), true)).toEqual([
      { per: "profile", before: 1, after: 1 },
    ]);
  });
});
