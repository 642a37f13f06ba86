import { describe, expect, it } from "vitest";
import { measureText } from "#format/measure.ts";
import { cpuAlert } from "#testing/alerts.ts";
import { alertName, alertPage, isOfProfiles, isOfRequests, severityOf } from "./model.ts";
import { muteEnd } from "./mute-spans.ts";
import { alertMeasure, alertSentence } from "./values.ts";

describe("alertMeasure", () => {
  it.each([
    ["cpu/nanoseconds", "nanoseconds per second", 317_814_056, "0.318 cores"],
    ["cpu/nanoseconds", "nanoseconds per second", 42_000_000, "0.042 cores"],
    ["cpu/nanoseconds", "nanoseconds per second", 1e9, "1 core"],
    ["cpu/nanoseconds", "nanoseconds per second", 12.34e9, "12.3 cores"],
    ["inuse_space/bytes", "bytes", 3 * 1024 ** 2, "3 MB"],
    ["goroutine/count", "count", 1_540, "1.5K goroutines"],
    ["goroutines/count", "count", 120, "120 goroutines"],
    ["delay/nanoseconds", "nanoseconds per second", 350e6, "350 ms/s"],
  ])("shows %s in %s: %d as %s", (sample_type, unit, value, text) => {
    expect(measureText(alertMeasure({ sample_type, unit }, value))).toBe(text);
  });
});

it.each([
  ["http_p95", "seconds", 0.216, "216 ms", "p95 of GET /checkout"],
  ["http_error_rate", "ratio", 0.0512, "5.1%", "Error rate of GET /checkout"],
] as const)("shows the signal %s in its own unit and names its route", (signal, unit, value, text, name) => {
  const alert = { sample_type: "cpu/nanoseconds", unit, signal, route: "GET /checkout" };
  expect(measureText(alertMeasure(alert, value))).toBe(text);
  expect(alertName(alert)).toBe(name);
});

it("an alert about a function is named after it, and leads to the profiles of its service", () => {
  const culprit = { name: "example.com/pricing.Seal", file: "/app/seal.go", line: 47, share: 1 };
  const values = { previous_value: 12e7, current_value: 25e7, increase: 1.083, percent_change: 108.3 };
  const alert = { ...cpuAlert, ...values, culprit, signal: "function", service_increase: 0.01 } as const;
  expect(alertName(alert)).toBe("CPU time of pricing.Seal");
  expect(alertSentence(alert)).toBe(
    "CPU time of pricing.Seal in checkout rose to 2.1 times the value before, from 0.12 to 0.25 cores, while checkout as a whole did not change.",
  );
  expect(alertPage(alert, Date.parse(alert.timestamp))).toMatchObject({
    params: { serviceName: "checkout", type: "cpu" },
  });
  expect([isOfProfiles(alert), isOfRequests(alert)]).toEqual([true, false]);
});

it("the page of an alert shows the time before the rise and until now", () => {
  const alert = {
    service: "checkout",
    profile_type: "cpu",
    timestamp: "2026-11-20T10:42:10.000Z",
    began_at: "2026-11-20T10:20:00.000Z",
    resolved_at: null,
    previous_range: { from: "2026-11-20T06:00:00.000Z", to: "2026-11-20T10:00:00.000Z" },
    current_range: { from: "2026-11-20T10:10:00.000Z", to: "2026-11-20T10:40:00.000Z" },
  } as const;
  expect(alertPage(alert, Date.parse("2026-11-20T10:50:10.000Z"))).toMatchObject({
    params: { serviceName: "checkout", type: "cpu" },
    search: { from: "2026-11-20T06:00:00Z", to: "2026-11-20T10:51:00Z", since: "2026-11-20T10:20:00.000Z" },
  });
  const range = { from: "2026-11-20T06:00:00Z", to: "2026-11-20T10:51:00Z" };
  const requests = { ...alert, signal: "http_p95" } as const;
  const pageOf = (route?: string) =>
    alertPage({ ...requests, ...(route !== undefined && { route }) }, Date.parse("2026-11-20T10:50:10.000Z"));
  const to = "/projects/$projectId/route";
  expect(pageOf("GET /cart/{id}")).toMatchObject({
    to,
    search: { ...range, method: "GET", path: "/cart/{id}" },
  });
  expect(pageOf("/cart").search).toEqual({ ...range, path: "/cart" });
  expect(pageOf()).toMatchObject({ to: "/projects/$projectId", search: range, hash: "http" });
});

it("the severity of an alert is the server's until the alert is resolved", () => {
  expect(severityOf({ status: "open", severity: "critical" })).toBe("critical");
  expect(severityOf({ status: "resolved", severity: "critical" })).toBe("resolved");
});

it.each([
  ["1h", "2026-11-20T11:00:00.000Z"],
  ["7d", "2026-11-27T10:00:00.000Z"],
  ["morning", "2026-11-21T08:00:00.000Z"],
  ["unlimited", null],
] as const)("a mute for %s ends at %s", (span, end) => {
  expect(muteEnd(span, Date.parse("2026-11-20T10:00:00.000Z"), "utc")).toBe(end);
});

it("a mute until 08:00 ends on the morning of the next day, whichever month it is in", () => {
  const at = (day: string) => muteEnd("morning", Date.parse(`${day}Z`), "utc");
  expect(at("2026-11-30T23:59:59")).toBe("2026-12-01T08:00:00.000Z");
  expect(at("2026-12-31T00:00:00")).toBe("2027-01-01T08:00:00.000Z");
  const local = new Date(2026, 9, 24, 22, 30);
  expect(muteEnd("morning", local.getTime(), "local")).toBe(new Date(2026, 9, 25, 8).toISOString());
});

it("the signals of a rule are of all requests, and its sentence names its condition", () => {
  const values = {
    sample_type: "cpu/nanoseconds",
    unit: "requests per second",
    signal: "http_request_rate",
  } as const;
  expect([measureText(alertMeasure(values, 2.5)), alertName(values)]).toEqual([
    ...["2.5 requests/s", "Request rate"],
  ]);
  const rule = {
    id: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21",
    name: "Too few",
    condition: "below 10 requests each second",
    comparison: "below",
    threshold: 10,
    minutes: 5,
    tags: {},
  } as const;
  const changes = {
    previous_value: 10,
    current_value: 2.5,
    percent_change: -75,
    functions: [],
    service: "shop",
  };
  expect(alertSentence({ ...values, ...changes, rule })).toBe(
    "Request rate in shop was below 10 requests each second: 2.5 requests/s.",
  );
});

describe("alertSentence", () => {
  const alert = {
    service: "checkout",
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    previous_value: 297e6,
    current_value: 557e6,
    percent_change: 87.54,
    functions: [],
  };
  const grown = { self_before: 0, self_after: 1, total_before: 0, total_after: 1, share: 1, total_share: 1 };

  it("says what rose, by how much and where", () => {
    expect(alertSentence({ ...alert, functions: [{ ...grown, name: "shop/pricing.hashNumber" }] })).toBe(
      "CPU time of checkout rose by 87.5%, from 0.297 to 0.557 cores; pricing.hashNumber grew most.",
    );
  });

  it("says how fast it grows, if it does", () => {
    const sentence = (perHour: number) => alertSentence({ ...alert, growth_per_hour: perHour });
    expect(sentence(0.04)).toMatch(/0\.557 cores, and grows by 0\.0223 cores an hour\.$/);
    expect(sentence(0.002)).toMatch(/0\.557 cores, and grows by 0\.0274 cores a day\.$/);
  });

  it("leaves out a function that is not known", () => {
    expect(alertSentence(alert)).toMatch(/to 0\.557 cores\.$/);
  });
});
