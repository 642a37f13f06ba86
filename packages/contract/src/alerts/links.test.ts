import { expect, it } from "vitest";
import { hourMs, minuteMs } from "#base/durations.ts";
import { alertSpan, worstSignal } from "./links.ts";

const ms = (hour: number, minute = 0) => hour * hourMs + minute * minuteMs;
const alert = { beganMs: ms(10, 42), openedMs: ms(10, 57), resolvedMs: null, comparedFromMs: ms(10, 10) };

it("begins an hour before the rise of a new alert and ends now", () => {
  expect(alertSpan(alert, ms(11, 2))).toEqual({ fromMs: ms(9, 42), toMs: ms(11, 2) });
});

it("has a third before the rise of an alert that has been open for long", () => {
  expect(alertSpan(alert, ms(16, 42))).toEqual({ fromMs: ms(7, 42), toMs: ms(16, 42) });
});

it("includes what was compared", () => {
  expect(alertSpan({ ...alert, comparedFromMs: ms(4) }, ms(11, 2)).fromMs).toBe(ms(4));
});

it("ends an hour after a resolved alert, but not after now", () => {
  const resolved = { ...alert, resolvedMs: ms(12) };
  expect(alertSpan(resolved, ms(18)).toMs).toBe(ms(13));
  expect(alertSpan(resolved, ms(12, 10)).toMs).toBe(ms(12, 10));
});

it("ends when the alert opened at the earliest, whatever the clock of the reader says", () => {
  expect(alertSpan(alert, ms(9)).toMs).toBe(ms(10, 57));
});

const culprit = { name: "main.price", file: "", line: 0, share: 1 };

it("is open, before one with a known function, before the largest increase", () => {
  const over = { status: "resolved", increase: 9, culprit } as const;
  const known = { status: "open", increase: 0.2, culprit } as const;
  const open = { status: "open", increase: 3 } as const;
  const larger = { status: "open", increase: 4 } as const;
  expect(worstSignal([over, larger, known, open])).toBe(known);
  expect(worstSignal([over, open, larger])).toBe(larger);
  expect(worstSignal([over])).toBe(over);
  expect(() => worstSignal([])).toThrow("An incident has at least one signal");
});
