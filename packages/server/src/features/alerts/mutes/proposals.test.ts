import { scheduleText } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { type PastAlert, proposalsOf } from "./proposals.ts";

let count = 0;

/** An alert from `opened` for so many minutes; null: it is open. */
function alert(opened: string, minutes: number | null, change: Partial<PastAlert> = {}): PastAlert {
  const openedMs = Date.parse(opened);
  const resolvedMs = minutes === null ? null : openedMs + minutes * minuteMs;
  return { id: `alert ${++count}`, service: "checkout", type: "cpu", openedMs, resolvedMs, ...change };
}

const textsOf = (alerts: readonly PastAlert[], zone = "UTC") =>
  proposalsOf(alerts, zone).map(
    ({ service, type, schedule, times }) => `${service} ${type} ${scheduleText(schedule)}, ${times} times`,
  );

describe("proposals", () => {
  it("are made of two alerts at the same time of two weeks, with an open one of that time", () => {
    const past = [alert("2026-11-08T02:20Z", 140), alert("2026-11-15T02:25Z", 145)];
    const open = alert("2026-11-22T02:20Z", null);
    const elsewhere = alert("2026-11-18T14:00Z", 60);
    expect(textsOf([...past, open, elsewhere])).toEqual([
      "checkout cpu every Sunday 02:00 to 05:30, 2 times",
    ]);
    const [proposal] = proposalsOf([...past, open, elsewhere], "UTC");
    expect(proposal?.alertIds).toEqual([...past, open].map(({ id }) => id));
  });

  it("need the same weekday, and the same time within 45 minutes of the beginning and the end", () => {
    const first = alert("2026-11-08T02:20Z", 120);
    expect(textsOf([first])).toEqual([]);
    expect(textsOf([first, alert("2026-11-16T02:20Z", 120)])).toEqual([]);
    expect(textsOf([first, alert("2026-11-15T03:05Z", 120)])).toHaveLength(1);
    expect(textsOf([first, alert("2026-11-15T03:06Z", 119)])).toEqual([]);
    expect(textsOf([first, alert("2026-11-15T02:20Z", 165)])).toHaveLength(1);
    expect(textsOf([first, alert("2026-11-15T02:20Z", 166)])).toEqual([]);
    expect(textsOf([first, alert("2026-11-15T02:20Z", null)])).toEqual([]);
  });

  it("need the same service and type", () => {
    const first = alert("2026-11-08T02:20Z", 120);
    expect(textsOf([first, alert("2026-11-15T02:20Z", 120, { service: "search" })])).toEqual([]);
    expect(textsOf([first, alert("2026-11-15T02:20Z", 120, { type: "memory" })])).toEqual([]);
  });

  it("are daily after three days within a week, from Monday to Friday if no weekend had one", () => {
    const days = (...named: number[]) => named.map((day) => alert(`2026-11-${day}T06:10Z`, 30));
    // The 16th is a Monday.
    expect(textsOf(days(16, 17))).toEqual([]);
    expect(textsOf(days(16, 18, 20))).toEqual(["checkout cpu Monday to Friday 05:30 to 07:00, 3 times"]);
    expect(textsOf(days(19, 20, 21))).toEqual(["checkout cpu every day 05:30 to 07:00, 3 times"]);
    expect(textsOf(days(10, 18, 26))).toEqual([]);
  });

  it("are weekly however many weeks had one", () => {
    const sundays = [25, 32, 39, 46].map((day) =>
      alert(new Date(Date.UTC(2026, 9, day, 2)).toISOString(), 60),
    );
    expect(textsOf(sundays)).toEqual(["checkout cpu every Sunday 01:30 to 03:30, 4 times"]);
    const wednesdays = sundays.map(({ openedMs }) => alert(new Date(openedMs + 3 * dayMs).toISOString(), 60));
    expect(textsOf([...sundays, ...wednesdays])).toEqual([
      "checkout cpu every Wednesday and Sunday 01:30 to 03:30, 8 times",
    ]);
  });

  it("count a day once if several signals of a type open then", () => {
    const twice = [alert("2026-11-08T02:20Z", 60), alert("2026-11-08T02:25Z", 60)];
    expect(textsOf(twice)).toEqual([]);
    expect(textsOf([...twice, alert("2026-11-15T02:20Z", 60)])).toEqual([
      "checkout cpu every Sunday 02:00 to 04:00, 2 times",
    ]);
  });

  it("go by the clock of the zone, across the end of summer time", () => {
    // 02:20 in Berlin, before and after 25 October.
    const alerts = [alert("2026-10-18T00:20Z", 60), alert("2026-11-01T01:20Z", 60)];
    expect(textsOf(alerts, "Europe/Berlin")).toEqual(["checkout cpu every Sunday 02:00 to 04:00, 2 times"]);
    expect(textsOf(alerts)).toEqual([]);
  });

  it("begin on the day before if an alert opened around midnight", () => {
    // Saturday evening, and Sunday just after midnight.
    const alerts = [alert("2026-11-07T23:50Z", 60), alert("2026-11-15T00:10Z", 60)];
    expect(textsOf(alerts)).toEqual(["checkout cpu every Saturday 23:30 to 01:30 the next day, 2 times"]);
    expect(textsOf(alerts.toReversed())).toEqual(textsOf(alerts));
    const early = [alert("2026-11-08T00:05Z", 60), alert("2026-11-15T00:05Z", 60)];
    expect(textsOf(early)).toEqual(["checkout cpu every Saturday 23:30 to 01:30 the next day, 2 times"]);
  });

  it("are made of the newest 200 alerts of a service and type", () => {
    const pattern = [alert("2026-11-08T02:20Z", 60), alert("2026-11-15T02:20Z", 60)];
    const later = (count: number, change = {}) =>
      Array.from({ length: count }, () => alert("2026-11-20T14:00Z", null, change));
    expect(textsOf([...pattern, ...later(198)])).toHaveLength(1);
    expect(textsOf([...pattern, ...later(199)])).toEqual([]);
    expect(textsOf([...pattern, ...later(300, { service: "search" })])).toHaveLength(1);
  });

  it("are as many as there are patterns, largest first", () => {
    const daily = [16, 17, 18, 19].map((day) => alert(`2026-11-${day}T06:10Z`, 30));
    const weekly = [8, 15].map((day) => alert(`2026-11-${String(day).padStart(2, "0")}T06:40Z`, 90));
    const evening = [10, 17].map((day) => alert(`2026-11-${day}T20:00Z`, 60));
    expect(textsOf([...weekly, ...evening, ...daily])).toEqual([
      "checkout cpu Monday to Friday 05:30 to 07:00, 4 times",
      "checkout cpu every Sunday 06:00 to 08:30, 2 times",
      "checkout cpu every Tuesday 19:30 to 21:30, 2 times",
    ]);
  });

  it("are not made of alerts of a day and more", () => {
    const long = [alert("2026-11-08T02:20Z", 24 * 60), alert("2026-11-15T02:20Z", 24 * 60)];
    expect(textsOf(long)).toEqual([]);
    const rounded = [alert("2026-11-08T02:20Z", 23.5 * 60), alert("2026-11-15T02:20Z", 23.5 * 60)];
    expect(textsOf(rounded)).toEqual([]);
  });
});
