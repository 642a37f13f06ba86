import { expect, it } from "vitest";
import { compareRanges } from "./compare.ts";

const onset = { at: "2026-11-20T10:00:00.000Z", version: null };
const range = (total: number) => ({
  sampleType: "cpu/nanoseconds",
  total,
  profiles: 1,
  durationNs: 10_000_000_000,
  traffic: undefined,
});
const compared = (before: number, after: number) =>
  compareRanges(range(before), range(after), { changes: [], onset }).comparison;

it("has an onset only if the whole grew", () => {
  expect(compared(10, 20)).toMatchObject({ increase: 1, onset });
  expect(compared(20, 10)).toMatchObject({ increase: -0.5, onset: null });
  expect(compared(10, 10)).toMatchObject({ increase: 0, onset: null });
});
