import { expect, it } from "vitest";
import { growthSentences } from "./alert-text.ts";

const growing = {
  growth_per_hour: 0.04,
  current_value: 120,
  increase: 0.2,
  began_at: "2026-11-20T09:00:00.000Z",
  timestamp: "2026-11-20T13:40:00.000Z",
};
const format = {
  quantity: (value: number) => `${Math.round(10 * value) / 10} MiB`,
  time: (at: string) => `${at.slice(0, 16).replace("T", " ")} UTC`,
};
const lines = (over: Partial<Parameters<typeof growthSentences>[0]>) =>
  growthSentences({ ...growing, ...over }, format);

it("says how fast values grow, and when they have doubled", () => {
  expect(lines({})).toEqual([
    "It grows by 4.8 MiB an hour (4.0%): at this rate it doubles in about 13 hours.",
  ]);
  expect(lines({ increase: 1.1 })).toEqual([
    "It grows by 4.8 MiB an hour (4.0%) and has doubled since 2026-11-20 09:00 UTC.",
  ]);
  expect(lines({ increase: 1.1, began_error_seconds: 1200 })).toEqual([
    "It grows by 4.8 MiB an hour (4.0%) and has doubled since about 2026-11-20 09:00 UTC.",
  ]);
});

it("says how much slow growth is in a day, without a time that is months away", () => {
  expect(lines({ growth_per_hour: 0.002 })).toEqual([
    "It grows by 5.9 MiB a day (4.9%): at this rate it doubles in about 11 days.",
  ]);
  expect(lines({ growth_per_hour: 0.0002 })).toEqual(["It grows by 0.6 MiB a day (0.5%)."]);
});

it("says when the highest level before is reached, or that it was", () => {
  const at = "2026-11-12T15:00:00.000Z";
  const seen = "the highest level of the past three weeks (150 MiB, 2026-11-12 15:00 UTC)";
  expect(lines({ highest_before: { value: 150, at } })[1]).toBe(`It reaches ${seen} in about 6 hours.`);
  expect(lines({ highest_before: { value: 150, at }, current_value: 151 })[1]).toBe(`It is above ${seen}.`);
  expect(lines({ highest_before: { value: 123, at } })[1]).toContain("in about 40 minutes.");
});

it("promises no doubling to a service that restarts before it", () => {
  expect(lines({ restarts_every_seconds: 21_600 })).toEqual([
    "It grows by 4.8 MiB an hour (4.0%) and drops at each restart, about every 6 hours.",
  ]);
});

it("says nothing about a step", () => {
  expect(lines({ growth_per_hour: undefined })).toEqual([]);
});
