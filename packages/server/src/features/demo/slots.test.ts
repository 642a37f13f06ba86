import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { metricsCadence, profileCadence, slotsOf } from "./slots.ts";

const now = Date.UTC(2026, 10, 20, 10, 7, 30);

describe.each([
  ["profiles", profileCadence, 4],
  ["HTTP metrics", metricsCadence, 12],
])("slots of %s", (_, cadence, anHour) => {
  const slots = slotsOf(cadence, 0, now);

  it("are dense for a day and hourly for the rest of a week", () => {
    expect(slots.filter((slot) => slot > now - dayMs)).toHaveLength(24 * anHour);
    expect(slots.filter((slot) => slot <= now - dayMs)).toHaveLength(6 * 24);
    expect(slots.at(0)).toBeGreaterThanOrEqual(now - 7 * dayMs);
    expect(slots.at(-1)).toBeLessThanOrEqual(now);
  });

  it("ascend and stay the same a little later", () => {
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    const later = new Set(slotsOf(cadence, 0, now + hourMs));
    const stillDense = slots.filter((slot) => slot > now + hourMs - dayMs);
    expect(stillDense.length).toBeGreaterThan(0);
    expect(stillDense.filter((slot) => !later.has(slot))).toEqual([]);
  });

  it("begin no earlier than asked", () => {
    expect(slotsOf(cadence, now - hourMs, now)).toHaveLength(anHour);
  });
});
