import { digestWeekdays, type MuteSchedule } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { isInWindow, isTimeZone, wallClockMs, windowAt } from "./schedule.ts";

const sundays: MuteSchedule = {
  weekdays: ["sunday"],
  from: "02:00",
  to: "05:00",
  time_zone: "Europe/Berlin",
};

function windowText(schedule: MuteSchedule, at: string): string {
  const { fromMs, toMs } = windowAt(schedule, Date.parse(at));
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join(" ");
}

describe("the window of a schedule", () => {
  it.each([
    ["before it", "2026-11-20T12:00Z"],
    ["at its beginning", "2026-11-22T01:00Z"],
    ["just before its end", "2026-11-22T03:59:59.999Z"],
  ])("is the one of the week, %s", (_, at) => {
    expect(windowText(sundays, at)).toBe("2026-11-22T01:00 2026-11-22T04:00");
  });

  it("is the one of the next week from its end on", () => {
    expect(windowText(sundays, "2026-11-22T04:00Z")).toBe("2026-11-29T01:00 2026-11-29T04:00");
  });

  it("follows summer time", () => {
    expect(windowText(sundays, "2026-07-01T00:00Z")).toBe("2026-07-05T00:00 2026-07-05T03:00");
  });

  it("is an hour shorter where summer time begins in it, and an hour longer where it ends", () => {
    expect(windowText({ ...sundays, from: "01:00" }, "2026-03-28T12:00Z")).toBe(
      "2026-03-29T00:00 2026-03-29T03:00",
    );
    expect(windowText({ ...sundays, from: "01:00" }, "2026-10-24T12:00Z")).toBe(
      "2026-10-24T23:00 2026-10-25T04:00",
    );
  });

  it("is later by an hour where summer time skips it", () => {
    const skipped = { ...sundays, from: "02:15", to: "02:45" };
    expect(windowText(skipped, "2026-03-28T12:00Z")).toBe("2026-03-29T01:15 2026-03-29T01:45");
    expect(windowText(sundays, "2026-03-28T12:00Z")).toBe("2026-03-29T01:00 2026-03-29T03:00");
  });

  it.each([
    ["02:00", "03:00", "01:00", "02:00"],
    ["02:30", "03:15", "01:30", "02:15"],
  ])("keeps its length where summer time leaves nothing of it, %s to %s", (from, to, begins, ends) => {
    const schedule = { ...sundays, from, to };
    expect(windowText(schedule, "2026-03-28T12:00Z")).toBe(`2026-03-29T${begins} 2026-03-29T${ends}`);
    const isOn = (at: string) => isInWindow(schedule, Date.parse(`2026-03-29T${at}Z`));
    expect([isOn("00:59"), isOn(begins), isOn(`${ends.slice(0, 3)}59`)]).toEqual([false, true, false]);
    expect(isInWindow(schedule, Date.parse(`2026-03-29T${ends}Z`) - 1)).toBe(true);
  });

  it("is from the first to the last of times that occur twice", () => {
    const repeated = { ...sundays, from: "02:15", to: "02:45" };
    expect(windowText(repeated, "2026-10-24T12:00Z")).toBe("2026-10-25T00:15 2026-10-25T01:45");
  });

  it("ends the next day if it ends by the clock before it begins", () => {
    const night = { ...sundays, from: "22:00", to: "02:00", time_zone: "UTC" };
    expect(windowText(night, "2026-11-23T01:59Z")).toBe("2026-11-22T22:00 2026-11-23T02:00");
    expect(windowText(night, "2026-11-23T02:00Z")).toBe("2026-11-29T22:00 2026-11-30T02:00");
    expect(windowText({ ...night, to: "22:00" }, "2026-11-23T21:59Z")).toBe(
      "2026-11-22T22:00 2026-11-23T22:00",
    );
  });

  it("is on the weekday of its zone, not of UTC", () => {
    const tokyo = { ...sundays, from: "00:00", to: "01:00", time_zone: "Asia/Tokyo" };
    expect(windowText(tokyo, "2026-11-20T12:00Z")).toBe("2026-11-21T15:00 2026-11-21T16:00");
    const kiritimati = { ...tokyo, time_zone: "Pacific/Kiritimati" };
    expect(windowText(kiritimati, "2026-11-20T12:00Z")).toBe("2026-11-21T10:00 2026-11-21T11:00");
  });

  it("holds a minute of the week if and only if the clock says so, on any day without a clock change", () => {
    let minutes = 0;
    const schedule: MuteSchedule = { ...sundays, weekdays: ["sunday", "wednesday"], to: "04:30" };
    for (let ms = Date.parse("2026-11-01T00:00Z"); minutes < 4 * 7 * 48; ms += 30 * minuteMs, minutes++) {
      const wall = new Date(wallClockMs(ms, "Europe/Berlin"));
      const hour = wall.getUTCHours() + wall.getUTCMinutes() / 60;
      const isOn = [0, 3].includes(wall.getUTCDay()) && hour >= 2 && hour < 4.5;
      expect([ms, isInWindow(schedule, ms)]).toEqual([ms, isOn]);
    }
    expect(minutes).toBe(1344);
  });

  it("begins once a day for a year in zones that change their clocks", () => {
    for (const time_zone of [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Africa/Casablanca",
    ]) {
      const daily: MuteSchedule = { weekdays: [...digestWeekdays], from: "02:15", to: "02:45", time_zone };
      let ms = Date.parse("2026-01-01T12:00Z");
      for (let day = 0; day < 365; day++) {
        const { fromMs, toMs } = windowAt(daily, ms);
        expect(fromMs).toBeGreaterThan(ms);
        expect(toMs - fromMs).toBeLessThanOrEqual(1.5 * hourMs);
        expect(fromMs - ms).toBeLessThan(dayMs + hourMs);
        ms = toMs;
      }
    }
  });
});

it("time zones are known by their names", () => {
  expect(["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"].map(isTimeZone)).toEqual([true, true, true]);
  expect(["", "Mars/Base", "Europe/Berlin\n"].map(isTimeZone)).toEqual([false, false, false]);
});
