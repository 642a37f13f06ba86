import { minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { onsetOf } from "./onset.ts";

const compared = {
  baseline: { fromMs: 0, toMs: 30 * minuteMs },
  window: { fromMs: 30 * minuteMs, toMs: 60 * minuteMs },
  previous: 10,
  current: 14,
};

/** One value a minute. */
function onsetIn(values: readonly number[], current = compared.current): number | undefined {
  const series = toSeries(values.map((value, minute) => [minute * minuteMs, value]));
  const onsetMs = onsetOf(series, { ...compared, current });
  return onsetMs === undefined ? undefined : onsetMs / minuteMs;
}

const minutes = (levelAt: (minute: number) => number) =>
  Array.from({ length: 60 }, (_, minute) => levelAt(minute));

/** Repeats after five minutes; between 0.8 and 1.2. */
const noise = (minute: number) => 0.8 + 0.1 * ((minute * 3) % 5);

describe("the onset of a rise", () => {
  it("is the first profile of a step, in the window or before it", () => {
    expect(
      onsetIn(
        minutes((minute) => (minute < 42 ? 10 : 20)),
        20,
      ),
    ).toBe(42);
    expect(
      onsetIn(
        minutes((minute) => (minute < 23 ? 10 : 20)),
        20,
      ),
    ).toBe(23);
  });

  it("is where a slow rise leaves what was usual", () => {
    expect(
      onsetIn(
        minutes((minute) => (minute < 28 ? 10 : 10 + (minute - 28) / 4)),
        15,
      ),
    ).toBe(33);
  });

  it("is not a profile just before the rise that is as high as others were", () => {
    const before = (minute: number) => (minute % 6 === 5 ? 11.5 : 10);
    expect(
      onsetIn(
        minutes((minute) => (minute < 42 ? before(minute) : 16)),
        16,
      ),
    ).toBe(42);
  });

  it("is found through noise, whether single profiles are above before it or below after it", () => {
    expect(onsetIn(minutes((minute) => (minute < 42 ? 10 : 14) * noise(minute)))).toBe(42);
    expect(onsetIn(minutes((minute) => (minute === 5 ? 900 : minute < 42 ? 10 : 14)))).toBe(42);
    expect(onsetIn(minutes((minute) => (minute === 50 ? 1 : minute < 42 ? 10 : 14)))).toBe(42);
  });

  it("is not known if values were as high from the first profile on, or fell again", () => {
    expect(onsetIn(minutes(() => 14))).toBeUndefined();
    expect(onsetIn(minutes((minute) => (minute < 30 ? 14 : 10)))).toBeUndefined();
    expect(onsetIn([])).toBeUndefined();
  });

  it("ignores profiles outside of the two ranges that were compared", () => {
    const before = [-minuteMs, 50] as const;
    const after = [60 * minuteMs, 1] as const;
    const inside = minutes((minute) => (minute < 42 ? 10 : 20)).map(
      (value, minute) => [minute * minuteMs, value] as const,
    );
    expect(onsetOf(toSeries([before, ...inside, after]), compared)).toBe(42 * minuteMs);
  });
});
