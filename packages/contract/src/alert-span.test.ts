import { expect, it } from "vitest";
import { alertSpan } from "./alert-span.ts";

const at = (time: string) => `2026-11-20T${time}:00.000Z`;
const ms = (time: string) => Date.parse(at(time));
const alert = {
  timestamp: at("10:57"),
  began_at: at("10:42"),
  resolved_at: null,
  previous_range: { from: at("10:10"), to: at("10:40") },
  current_range: { from: at("10:27"), to: at("10:57") },
};

it("begins an hour before the rise of a new alert and ends now", () => {
  expect(alertSpan(alert, ms("11:02"))).toEqual({ fromMs: ms("09:42"), toMs: ms("11:02") });
});

it("has a third before the rise of an alert that has been open for long", () => {
  expect(alertSpan(alert, ms("16:42"))).toEqual({ fromMs: ms("07:42"), toMs: ms("16:42") });
});

it("includes what was compared", () => {
  const early = { ...alert, previous_range: { from: at("04:00"), to: at("08:00") } };
  expect(alertSpan(early, ms("11:02")).fromMs).toBe(ms("04:00"));
});

it("ends an hour after a resolved alert, but not after now", () => {
  const resolved = { ...alert, resolved_at: at("12:00") };
  expect(alertSpan(resolved, ms("18:00")).toMs).toBe(ms("13:00"));
  expect(alertSpan(resolved, ms("12:10")).toMs).toBe(ms("12:10"));
});

it("counts from the range in which it was worse where the beginning is not known", () => {
  expect(alertSpan({ ...alert, began_at: null }, ms("11:02")).fromMs).toBe(ms("09:27"));
});
