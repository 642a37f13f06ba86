import { expect, it } from "vitest";
import { digestWeekdays } from "./calls.ts";
import { scheduleText } from "./schedule-text.ts";

const at = { from: "02:00", to: "05:00" };

it.each([
  [{ ...at, weekdays: ["sunday"] }, "every Sunday 02:00 to 05:00"],
  [{ ...at, weekdays: ["sunday", "monday"] }, "every Monday and Sunday 02:00 to 05:00"],
  [
    { ...at, weekdays: ["friday", "monday", "wednesday"] },
    "every Monday, Wednesday and Friday 02:00 to 05:00",
  ],
  [{ ...at, weekdays: digestWeekdays.slice(1, 6) }, "Monday to Friday 02:00 to 05:00"],
  [{ ...at, weekdays: [...digestWeekdays] }, "every day 02:00 to 05:00"],
  [{ from: "22:00", to: "01:00", weekdays: ["sunday"] }, "every Sunday 22:00 to 01:00 the next day"],
  [{ from: "00:00", to: "00:00", weekdays: ["sunday"] }, "every Sunday 00:00 to 00:00 the next day"],
] as const)("%o is read as it is said", (schedule, text) => {
  expect(scheduleText(schedule)).toBe(text);
});
