import type { Alert } from "@flamekeep/contract";
import { expect, it, vi } from "vitest";
import { deployComparison } from "#alert-list/chart-markers.ts";
import { markersOf } from "./use-markers.ts";

const at = (time: string) => `2026-11-20T${time}:00.000Z`;
const ms = (time: string) => Date.parse(at(time));

const alert: Alert = {
  id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
  incident_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
  profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
  type: "cpu",
  profile_type: "cpu",
  sample_type: "cpu/nanoseconds",
  unit: "nanoseconds per second",
  service: "checkout",
  timestamp: at("11:00"),
  began_at: at("10:40"),
  status: "open",
  resolved_at: null,
  severity: "critical",
  previous_value: 1,
  current_value: 2,
  increase: 0.69,
  percent_change: 69.4,
  functions: [
    {
      name: "main.hash",
      self_before: 1,
      self_after: 2,
      total_before: 1,
      total_after: 2,
      share: 1,
      total_share: 1,
    },
  ],
  previous_range: { from: at("08:00"), to: at("10:00") },
  current_range: { from: at("10:30"), to: at("11:00") },
  is_muted: false,
};
const deploy = { timestamp: at("10:20"), tag: "version", value: "1.9", previous: "1.8" };

const scope = { service: "checkout", sampleType: undefined, tags: { region: "eu" } };

it("names deploys and alerts, and each selects what came after", () => {
  const [onSelect, onCompare] = [vi.fn(), vi.fn()];
  const markers = markersOf(
    { deploys: [deploy], alerts: [alert] },
    { tab: "cpu", endMs: ms("12:00"), scope, onSelect, onCompare },
  );
  expect(markers.map(({ kind, label, details, atMs }) => [kind, label, details, atMs])).toEqual([
    ["deploy", "Deploy: version 1.9", "Before: 1.8", ms("10:20")],
    ["alert", "Alert: CPU, CPU time +69.4%, most in main.hash", "The increase began here. Open", ms("10:40")],
  ]);
  for (const { actions } of markers)
    actions?.find(({ label }) => label === "Show the time since")?.onSelect();
  expect(onSelect.mock.calls).toEqual([
    [{ fromMs: ms("10:20"), toMs: ms("12:00") }],
    [{ fromMs: ms("10:40"), toMs: ms("12:00") }],
  ]);
});

it("says where a beginning is only approximate", () => {
  const [marker] = markersOf(
    { deploys: [], alerts: [{ ...alert, began_error_seconds: 1200 }] },
    { tab: "cpu", endMs: ms("12:00"), scope, onSelect: vi.fn(), onCompare: vi.fn() },
  );
  expect(marker?.details).toBe("The increase began near here. Open");
});

it("ends with the alert, and leaves out alerts of other types", () => {
  const onSelect = vi.fn();
  const resolved: Alert = { ...alert, status: "resolved", resolved_at: at("11:30") };
  const options = { endMs: ms("12:00"), scope, onSelect, onCompare: vi.fn() };
  const [marker] = markersOf({ deploys: [], alerts: [resolved] }, { ...options, tab: "cpu" });
  marker?.actions?.find(({ label }) => label === "Show the time since")?.onSelect();
  expect(onSelect).toHaveBeenCalledWith({ fromMs: ms("10:40"), toMs: ms("11:30") });
  expect(markersOf({ deploys: [], alerts: [alert] }, { ...options, tab: "memory" })).toEqual([]);
});

it("compares with the time before a deploy or an alert", () => {
  const onCompare = vi.fn();
  const markers = markersOf(
    { deploys: [deploy], alerts: [alert] },
    { tab: "cpu", endMs: ms("12:00"), scope, onSelect: vi.fn(), onCompare },
  );
  for (const { actions } of markers) actions?.find(({ label }) => label.startsWith("Compare"))?.onSelect();
  expect(onCompare.mock.calls).toEqual([
    [
      {
        service: "checkout",
        type: "cpu",
        before_from: "2026-11-20T08:40:00Z",
        before_to: "2026-11-20T10:20:00Z",
        before_tags: { region: "eu" },
        after_from: "2026-11-20T10:20:00Z",
        after_to: "2026-11-20T12:00:00Z",
        after_tags: { region: "eu" },
      },
    ],
    [
      {
        service: "checkout",
        type: "cpu",
        sample_type: "cpu/nanoseconds",
        before_from: at("08:00"),
        before_to: at("10:00"),
        after_from: at("10:30"),
        after_to: at("11:00"),
      },
    ],
  ]);
});

it("keeps other deploys out of the two times that it compares", () => {
  const deploys = ["09:50", "10:20", "10:50"].map((time) => ({ ...deploy, timestamp: at(time) }));
  const compared = deployComparison(deploys, 1, { ...scope, type: "cpu", endMs: ms("12:00") });
  expect(compared).toMatchObject({
    before_from: "2026-11-20T09:50:00Z",
    before_to: "2026-11-20T10:20:00Z",
    after_to: "2026-11-20T10:50:00Z",
  });
});

it("offers nothing after the end of the chart", () => {
  const options = { tab: "cpu", endMs: ms("10:20"), scope, onSelect: vi.fn(), onCompare: vi.fn() } as const;
  expect(markersOf({ deploys: [deploy], alerts: [] }, options)[0]?.actions).toEqual([]);
});
