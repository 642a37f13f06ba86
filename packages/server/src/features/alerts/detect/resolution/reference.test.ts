import { describe, expect, it } from "vitest";
import { elasticity, expectedSince, noUsualDay } from "./reference.ts";

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const requests = hours.map((hour) => 600 + 300 * Math.cos((2 * Math.PI * hour) / 24));
const midnight = Date.UTC(2026, 10, 20);
const noon = midnight + 12 * 3_600_000;

describe("how a service follows its requests", () => {
  it("is 1 in proportion, 0 not at all, a half by the square root", () => {
    const by = (exponent: number) =>
      elasticity({ values: requests.map((each) => 5 * each ** exponent), requests });
    expect([by(1), by(0), by(0.5)].map((each) => each?.toFixed(6))).toEqual([
      "1.000000",
      "0.000000",
      "0.500000",
    ]);
    expect(by(-1)).toBe(0);
    expect(by(2)).toBe(1);
  });

  it("is unknown over flat days and without requests", () => {
    expect(elasticity({ values: requests, requests: hours.map(() => 600) })).toBeUndefined();
    expect(elasticity({ values: requests, requests: [] })).toBeUndefined();
    expect(elasticity(noUsualDay)).toBeUndefined();
  });
});

describe("what is expected while an alert is open", () => {
  it("follows the requests as the service does", () => {
    const usual = { values: requests.map((each) => each ** 0.5), requests };
    const reference = { atMs: midnight, previous: 30, requests: 900, usual };
    expect(expectedSince(reference, noon, 225)).toBeCloseTo(15, 6);
    expect(expectedSince(reference, noon, 3600)).toBeCloseTo(60, 6);
  });

  it("follows the hour of the day where nobody counts requests", () => {
    const reference = {
      atMs: midnight,
      previous: 30,
      requests: undefined,
      usual: { values: requests, requests: [] },
    };
    expect(expectedSince(reference, noon, undefined)).toBeCloseTo(10, 6);
    expect(expectedSince(reference, midnight, undefined)).toBeCloseTo(30, 6);
  });

  it("is unchanged without data about a usual day", () => {
    const reference = { atMs: midnight, previous: 30, requests: 600, usual: noUsualDay };
    expect(expectedSince(reference, noon, 300)).toBe(30);
    expect(expectedSince(reference, noon, 1200)).toBe(60);
  });
});
