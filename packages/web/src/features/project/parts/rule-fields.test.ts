import type { HttpTimeline } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { ruleFields } from "./rule-fields.ts";

const timeline = (p95: number | null, failed: number) =>
  ({
    data_points: [{ status_counts: { "5xx": failed } }, {}],
    summary: { p95_duration_ms: p95, total_requests: 1000, peak_throughput_rps: 12.34 },
  }) as unknown as HttpTimeline;
const subject = { service: "shop", route: "GET /cart" };

it("a rule from a chart has a threshold that usual values do not reach", () => {
  const p95 = { ...subject, signal: "http_p95" };
  expect(ruleFields("http_p95", subject, timeline(123.4, 0))).toEqual({ ...p95, threshold: 0.19 });
  expect(ruleFields("http_p95", subject, timeline(null, 0))).toEqual(p95);
  const errors = { ...subject, signal: "http_error_rate" };
  expect(ruleFields("http_error_rate", subject, timeline(1, 0))).toEqual({ ...errors, threshold: 0.01 });
  expect(ruleFields("http_error_rate", subject, timeline(1, 17))).toEqual({ ...errors, threshold: 0.034 });
  expect(ruleFields("http_error_rate", subject, timeline(1, 900))).toEqual({ ...errors, threshold: 0.5 });
  const rate = { service: "shop", signal: "http_request_rate", threshold: 19 };
  expect(ruleFields("http_request_rate", { service: "shop" }, timeline(1, 0))).toEqual(rate);
});
