import type { Alert, HttpTimelinePoint } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import {
  automaticBucket,
  healthOf,
  httpSeries,
  intervalMinutes,
  lastValue,
  markersOf,
  overDays,
  projectTitle,
  rangeBadge,
  statusSeries,
} from "./model.ts";

function alert(part: Partial<Alert>): Alert {
  const span = { from: "2026-11-20T06:00:00.000Z", to: "2026-11-20T10:00:00.000Z" };
  return {
    id: "a",
    profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
    type: "cpu",
    profile_type: "cpu",
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    service: "checkout",
    timestamp: "2026-11-20T10:00:00.000Z",
    status: "open",
    resolved_at: null,
    severity: "warning",
    previous_value: 100,
    current_value: 142,
    increase: 0.42,
    percent_change: 42,
    functions: [],
    previous_range: span,
    current_range: span,
    is_muted: false,
    ...part,
  };
}

describe("a project", () => {
  it("is titled by its id, one service by a name", () => {
    expect(["checkout", "example-service"].map(projectTitle)).toEqual(["checkout", "Example Service"]);
  });

  it("is as healthy as its worst open alert that is not muted", () => {
    const resolved = alert({ status: "resolved", percent_change: 90 });
    const muted = alert({ is_muted: true, percent_change: 90 });
    expect(healthOf([])).toBe("healthy");
    expect(healthOf([resolved, muted])).toBe("healthy");
    expect(healthOf([resolved, alert({ percent_change: 20 })])).toBe("warning");
    expect(healthOf([alert({}), alert({ percent_change: 50 })])).toBe("critical");
  });
});

describe("times", () => {
  it.each([
    [hourMs, "1m"],
    [8 * hourMs, "5m"],
    [dayMs, "15m"],
    [7 * dayMs, "1h"],
    [30 * dayMs, "4h"],
  ])("of %d ms have points of %s", (rangeMs, bucket) => expect(automaticBucket(rangeMs)).toBe(bucket));

  it("of HTTP metrics have the interval of the bucket, else 5 minutes", () => {
    expect(["1m", "15m", "1h", "4h", "2w"].map(intervalMinutes)).toEqual([1, 15, 60, 240, 5]);
  });

  it.each([
    ["1h", "Last 1 Hour"],
    ["24h", "Last 24 Hours"],
    ["168h", "Last 7 Days"],
    ["720h", "Last 30 Days"],
    ["36h", "Last 1.5 Days"],
    ["2026-11-20T10:00:00Z", undefined],
  ])("from %s are labelled %s", (from, text) => expect(rangeBadge(from)).toBe(text));

  it.each([
    [5, "Over 5 days"],
    [1, "Over 1 day"],
    [0.5, "Over 12 hours"],
    [0.01, "Over less than an hour"],
  ])("of profiles over %d days read %s", (days, text) => expect(overDays(days)).toBe(text));
});

describe("charts", () => {
  it("show the last value that was measured", () => {
    expect([lastValue([1, 2, null]), lastValue([null])]).toEqual([2, null]);
  });

  it("of status have the classes that occur, in their order", () => {
    const none = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, Other: 0 };
    const points = [
      { request_count: 2, status_counts: { ...none, "5xx": 2 } },
      { request_count: 7, status_counts: { ...none, "2xx": 7 } },
    ];
    expect(
      statusSeries(points as HttpTimelinePoint[]).map(({ label, color, values }) => [label, color, values]),
    ).toEqual([
      ["2xx", "ok", [0, 7]],
      ["5xx", "critical", [2, 0]],
    ]);
  });

  it("of requests begin with the first and end with the last that was received", () => {
    const points = [0, 3, 0, 2, 0].map((request_count) => ({ request_count })) as HttpTimelinePoint[];
    const { values } = httpSeries("n", "Requests", points, ({ request_count }) => request_count);
    expect(values).toEqual([null, 3, 0, 2, null]);
  });

  it("mark deploys and alerts, and an alert opens its profile", () => {
    const opened: string[] = [];
    const deploy = { timestamp: "2026-11-20T09:00:00.000Z", tag: "version", value: "2.0", previous: "1.9" };
    const grown = { name: "main.hash", self_before: 1, self_after: 2, total_before: 1, total_after: 2 };
    const [first, second] = markersOf(
      [deploy],
      [alert({ functions: [{ ...grown, share: 0.8, total_share: 1 }] })],
      (id) => opened.push(id),
    );
    expect(first).toEqual({
      atMs: Date.UTC(2026, 10, 20, 9),
      kind: "deploy",
      label: "Deploy of version 2.0",
      details: "It was 1.9 before",
    });
    expect(second).toMatchObject({
      kind: "alert",
      label: "Alert: CPU +42.0 %",
      details: "Most of it in main.hash",
    });
    second?.onOpen?.();
    expect(opened).toEqual(["3f9a1c07be52d8e4460b7c91691e9f40"]);
  });
});
