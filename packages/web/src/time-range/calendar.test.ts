import { expect, it } from "vitest";
import { compareDays, dayAfter, dayInMonth, dayName, monthName, startMs, weeksOfMonth } from "./calendar.tsx";

it("shows six weeks that begin on Monday", () => {
  const weeks = weeksOfMonth({ year: 2026, month: 11 });
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
  expect(dayName(weeks[0]![0]!)).toBe("Monday, October 26, 2026");
  expect(dayName(weeks[5]![6]!)).toBe("Sunday, December 6, 2026");
  const february = weeksOfMonth({ year: 2027, month: 2 });
  expect(dayName(february[0]![0]!)).toBe("Monday, February 1, 2027");
});

it("moves by days and months across years", () => {
  const eve = { year: 2026, month: 12, day: 31 };
  expect(dayAfter(eve, 1)).toEqual({ year: 2027, month: 1, day: 1 });
  expect(dayInMonth(eve, 2)).toEqual({ year: 2027, month: 2, day: 28 });
  expect(dayInMonth({ year: 2027, month: 1, day: 15 }, -1)).toEqual({ year: 2026, month: 12, day: 15 });
  expect(compareDays(eve, dayAfter(eve, 1))).toBeLessThan(0);
  expect(startMs(eve, "utc")).toBe(Date.UTC(2026, 11, 31));
  expect(monthName(eve)).toBe("December 2026");
});
