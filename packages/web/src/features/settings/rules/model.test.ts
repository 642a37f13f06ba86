// @vitest-environment happy-dom
import type { AlertRule } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { conditionOf, type Draft, draftOf, newDraft, problemsOf, ruleBodyOf, withSignal } from "./draft.ts";
import {
  bodyOf,
  conditionText,
  likelyUnit,
  previewText,
  signalOf,
  signalsOf,
  unitWords,
  usualSignals,
} from "./model.ts";
import { chartScale, previewChart } from "./rule-preview.tsx";

const at = "2026-11-20T10:00:00.000Z";
const rule: AlertRule = {
  id: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21",
  name: "Heap too large",
  service: "checkout",
  signal: "profile",
  profile_type: "memory",
  sample_type: "inuse_space/bytes",
  route: null,
  tags: { env: "production" },
  comparison: "above",
  threshold: 2 ** 31,
  minutes: 10,
  severity: "critical",
  is_enabled: true,
  unit: "bytes",
  is_firing: false,
  created_by: "Ada Lovelace",
  created_at: at,
};

const labelled = (label: string) => usualSignals.find((each) => each.label === label)!;
const draft: Draft = { ...newDraft({ service: "checkout" }), amount: "2" };

describe("a condition reads as it was set", () => {
  it.each([
    [{}, "Memory in use above 2 GB for 10 minutes"],
    [{ threshold: 200 * 2 ** 20, minutes: 1 }, "Memory in use above 200 MB for 1 minute"],
    [
      {
        profile_type: "cpu",
        sample_type: "cpu/nanoseconds",
        unit: "nanoseconds per second",
        threshold: 1.5e9,
      },
      "CPU above 1.5 cores for 10 minutes",
    ],
    [
      { profile_type: "cpu", sample_type: "cpu/nanoseconds", unit: "nanoseconds per second", threshold: 1e9 },
      "CPU above 1 core for 10 minutes",
    ],
    [
      { profile_type: "goroutine", sample_type: "goroutine/count", unit: "count", threshold: 5000 },
      "Goroutines above 5000 goroutines for 10 minutes",
    ],
    [
      {
        profile_type: "mutex",
        sample_type: "delay/nanoseconds",
        unit: "nanoseconds per second",
        threshold: 5e7,
      },
      "Waiting for locks above 50 ms each second for 10 minutes",
    ],
    [
      { signal: "http_error_rate", profile_type: null, sample_type: null, unit: "ratio", threshold: 0.011 },
      "Error rate (5xx) above 1.1% for 10 minutes",
    ],
    [
      { signal: "http_p95", profile_type: null, sample_type: null, unit: "seconds", threshold: 0.25 },
      "p95 of requests above 250 ms for 10 minutes",
    ],
    [
      { profile_type: "custom", sample_type: "shop/open_carts/count", unit: "count", threshold: 12 },
      "Custom: shop/open_carts above 12 count for 10 minutes",
    ],
  ] as const)("%j", (change, text) => {
    expect(conditionText({ ...rule, ...change })).toBe(text);
  });
});

it("a rule that is edited and saved unchanged stays the same", () => {
  for (const threshold of [2 ** 31, 1.1 * 2 ** 30, 3 * 2 ** 20, 7]) {
    const stored = { ...rule, threshold };
    const { is_enabled: _, ...body } = bodyOf(stored);
    const saved = ruleBodyOf(draftOf(stored));
    expect(saved).toEqual({ ...body, threshold: expect.closeTo(threshold, 2) });
  }
});

it("a draft becomes a rule in the unit of its signal, with a name if it has none", () => {
  expect(ruleBodyOf(draft)).toMatchObject({
    name: "Memory in use of checkout above 2 GB",
    threshold: 2 ** 31,
    minutes: 10,
    tags: {},
    signal: "profile",
    profile_type: "memory",
    sample_type: "inuse_space/bytes",
  });
  const errors = withSignal({ ...draft, tags: "env:production" }, labelled("Error rate (5xx)"));
  expect(ruleBodyOf({ ...errors, amount: "1,5", name: " Failures " })).toMatchObject({
    name: "Failures",
    signal: "http_error_rate",
    profile_type: null,
    sample_type: null,
    threshold: 0.015,
    tags: {},
  });
  expect(ruleBodyOf(withSignal(draft, labelled("CPU"))).threshold).toBe(2e9);
});

it("a draft of one route has the fields that a link gives, and names the route", () => {
  const fields = {
    service: "checkout",
    signal: "http_p95",
    route: "GET /cart/{id}",
    threshold: 0.25,
  } as const;
  const slow = newDraft(fields);
  expect(ruleBodyOf(slow)).toMatchObject({
    ...fields,
    name: "p95 of requests of GET /cart/{id} in checkout above 250 ms",
    profile_type: null,
  });
  expect(ruleBodyOf(withSignal(slow, labelled("CPU"))).route).toBeNull();
  expect(ruleBodyOf({ ...slow, route: " " }).route).toBeNull();
  const failing = newDraft({ ...fields, signal: "http_error_rate", threshold: 0.02 });
  expect([failing.amount, failing.factor]).toEqual(["2", 0.01]);
  expect(newDraft({})).toMatchObject({ service: "", amount: "", factor: 2 ** 30 });
  expect(problemsOf({ ...slow, route: "GET /a\u202eb" })).toMatchObject([{ field: "route" }]);
});

it.each([
  [{ service: " " }, "service", "Enter a service"],
  [{ amount: "two" }, "amount", "Enter the threshold as a number"],
  [{ amount: "-2" }, "amount", "Enter the threshold as a number"],
  [{ comparison: "below", amount: "0" }, "amount", "No value is below 0: enter a larger threshold"],
  [{ minutes: "1.5" }, "minutes", "Enter 1 to 1440 minutes"],
  [{ minutes: "" }, "minutes", "Enter 1 to 1440 minutes"],
  [{ tags: "production" }, "tags", "Write tags as name:value, separated by commas"],
] as const)("a draft with %j is not sent", (change, field, text) => {
  expect(problemsOf(draft)).toEqual([]);
  expect(problemsOf({ ...draft, ...change })).toEqual([{ field, text }]);
});

it("values are shown as soon as a service is known, without a threshold", () => {
  expect(conditionOf({ ...draft, service: "" })).toBeUndefined();
  expect(conditionOf({ ...draft, amount: "", comparison: "below" })).toMatchObject({
    service: "checkout",
    comparison: "above",
    threshold: 0,
  });
  expect(conditionOf(draft)).toMatchObject({ threshold: 2 ** 31, minutes: 10 });
});

it("the sample types of a service follow the usual signals, each once", () => {
  const charts = [
    { type: "memory", sample_types: ["inuse_space/bytes", "inuse_objects/count"] },
    { type: "wall", sample_types: ["wall/nanoseconds"] },
  ] as const;
  const added = signalsOf(charts, signalOf(rule)).slice(usualSignals.length);
  expect(added.map(({ value }) => value)).toEqual(["memory inuse_objects/count", "custom wall/nanoseconds"]);
  expect(unitWords(added[1]!, "nanoseconds per second").map(({ word }) => word)).toEqual([
    ...["ms each second", "s each second"],
  ]);
});

describe("a preview", () => {
  const preview = {
    unit: "nanoseconds per second",
    from: at,
    to: "2026-11-20T10:20:00.000Z",
    bucket_seconds: 600,
    values: [1.5e9, null],
    minutes_with_values: 10,
    alerts_total: 1,
    alerts: [{ began_at: at, opened_at: at, resolved_at: null, value: 1.5e9 }],
  };

  it("is a chart with a line at the threshold and a mark for each alert", () => {
    const chart = previewChart(preview, labelled("CPU"), 1e9);
    expect(chart.unit).toBe("cores");
    expect(chart.series.map(({ id, values }) => [id, values])).toEqual([
      ["value", [1.5, null]],
      ["threshold", [1, 1]],
    ]);
    expect(chart.markers.map(({ atMs }) => atMs)).toEqual([Date.parse(at)]);
    expect(previewChart(preview, labelled("CPU"), undefined)).toMatchObject({
      series: [{ id: "value" }],
      markers: [],
    });
    expect(chartScale(labelled("Waiting for locks"), "nanoseconds per second").unit).toBe("nanoseconds");
  });

  it("says how many alerts there would have been", () => {
    expect(previewText(preview)).toBe("In the last 7 days this rule would have opened 1 alert.");
    expect(previewText({ ...preview, alerts_total: 0 })).toMatch(/opened no alert\.$/);
    expect(previewText({ ...preview, minutes_with_values: 0 })).toMatch(/^No values in the last 7 days/);
  });
});

it("offers the usual signals, each with its units", () => {
  expect(
    usualSignals.map((signal) => {
      const unit = likelyUnit(signal);
      const words = unitWords(signal, unit).map(({ word, factor }) => `${word} x${factor}`);
      return `${signal.value}: ${signal.label}, ${unit}, ${words.join(", ")}`;
    }),
  ).toMatchInlineSnapshot(`
    [
      "cpu cpu/nanoseconds: CPU, nanoseconds per second, cores x1000000000",
      "memory inuse_space/bytes: Memory in use, bytes, MB x1048576, GB x1073741824",
      "memory alloc_space/bytes: Allocated memory, bytes per second, MB each second x1048576, GB each second x1073741824",
      "goroutine goroutine/count: Goroutines, count, goroutines x1",
      "mutex delay/nanoseconds: Waiting for locks, nanoseconds per second, ms each second x1000000, s each second x1000000000",
      "block delay/nanoseconds: Blocked time, nanoseconds per second, ms each second x1000000, s each second x1000000000",
      "http_p95: p95 of requests, seconds, ms x0.001, s x1",
      "http_error_rate: Error rate (5xx), ratio, % x0.01",
      "http_request_rate: Request rate, requests per second, requests each second x1",
    ]
  `);
});
