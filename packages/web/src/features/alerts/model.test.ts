import type { Alert, Incident } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { byIncrease } from "#alert-list/model.ts";
import {
  type AlertFilter,
  countText,
  filterAlerts,
  filterValues,
  type ListOrder,
  lastResolved,
  shownIncidents,
  signalCountText,
  sortAlerts,
  tallyAlerts,
} from "./model.ts";
import { alertSorts } from "./search.ts";

function alert(part: Partial<Alert> & Pick<Alert, "id">): Alert {
  const increase = part.increase ?? 0.42;
  const span = { from: "2026-11-20T06:00:00.000Z", to: "2026-11-20T10:00:00.000Z" };
  return {
    incident_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
    type: part.resolved_at ? "resolved" : (part.profile_type ?? "cpu"),
    profile_type: "cpu",
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    service: "checkout",
    timestamp: "2026-11-20T10:00:00.000Z",
    began_at: null,
    status: part.resolved_at ? "resolved" : "open",
    resolved_at: null,
    severity: increase >= 0.5 ? "critical" : "warning",
    previous_value: 100,
    current_value: 100 * (1 + increase),
    increase,
    percent_change: increase * 100,
    functions: [],
    previous_range: span,
    current_range: span,
    is_muted: false,
    ...part,
  };
}

const cpu = alert({ id: "cpu", increase: 0.77 });
const memory = alert({ id: "memory", service: "catalog", profile_type: "memory", increase: 0.2 });
const quiet = alert({ id: "quiet", service: "catalog", increase: 3, is_muted: true });
const over = alert({
  id: "over",
  service: "search",
  profile_type: "goroutine",
  increase: 1.5,
  resolved_at: "2026-11-20T11:00:00.000Z",
});
const longOver = alert({ id: "longOver", resolved_at: "2026-11-19T11:00:00.000Z" });
const all = [memory, cpu, quiet, over, longOver];

const ids = (alerts: readonly Alert[]) => alerts.map(({ id }) => id);

describe("the list", () => {
  it("is sorted by increase without changing the given array", () => {
    expect(ids(byIncrease(all))).toEqual(["quiet", "over", "cpu", "longOver", "memory"]);
    expect(ids(all)[0]).toBe("memory");
  });

  it.each([
    ["increase", ["quiet", "over", "cpu", "longOver", "memory"]],
    ["severity", ["quiet", "cpu", "memory", "over", "longOver"]],
    ["service", ["quiet", "memory", "cpu", "longOver", "over"]],
    ["type", ["quiet", "cpu", "longOver", "memory", "over"]],
  ] as const)("is sorted by %s, the highest increase first where that is the same", (sort, expected) => {
    expect(ids(sortAlerts(all, sort, false))).toEqual(expected);
  });

  it("is sorted by its time, newest first, and every order can be reversed", () => {
    const [early, late] = ["2026-11-20T08:00:00.000Z", "2026-11-20T09:00:00.000Z"];
    const timed = [{ ...memory, began_at: early }, cpu, { ...quiet, began_at: late }];
    expect(ids(sortAlerts(timed, "since", false))).toEqual(["cpu", "quiet", "memory"]);
    for (const sort of alertSorts)
      expect(ids(sortAlerts(all, sort, true))).toEqual(ids(sortAlerts(all, sort, false)).reverse());
  });

  it("is filtered by service, by profile type in any state, and by being resolved", () => {
    expect(ids(filterAlerts(all, {}))).toEqual(ids(all));
    expect(ids(filterAlerts(all, { service: "catalog" }))).toEqual(["memory", "quiet"]);
    expect(ids(filterAlerts(all, { type: "goroutine" }))).toEqual(["over"]);
    expect(ids(filterAlerts(all, { type: "resolved" }))).toEqual(["over", "longOver"]);
    expect(ids(filterAlerts(all, { service: "checkout", type: "memory" }))).toEqual([]);
  });

  it("offers the values that occur and the chosen one, which can come from a link", () => {
    expect(filterValues(all, {})).toEqual({
      services: ["catalog", "checkout", "search"],
      types: ["cpu", "memory", "goroutine", "resolved"],
    });
    expect(filterValues([memory], { service: "gone", type: "block" })).toEqual({
      services: ["catalog", "gone"],
      types: ["memory", "block"],
    });
  });
});

describe("the counts", () => {
  it("count open alerts by severity, and muted alerts only in the total", () => {
    const tally = tallyAlerts(all);
    expect({ total: tally.total, open: tally.open, muted: tally.muted }).toEqual({
      total: 5,
      open: 2,
      muted: 1,
    });
    expect(ids(tally.critical)).toEqual(["cpu"]);
    expect(ids(tally.warnings)).toEqual(["memory"]);
    expect(ids(tally.resolved)).toEqual(["over", "longOver"]);
  });

  it("include the time of the latest resolution", () => {
    expect(lastResolved([longOver, over])).toBe("2026-11-20T11:00:00.000Z");
    expect(lastResolved([])).toBeUndefined();
  });
});

describe("the incidents of the list", () => {
  const [one, other] = ["0b8d2f16-7f0e-4d0c-9a55-2f6f0a3c9d11", "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845"];
  const first = alert({ id: "first", incident_id: one, increase: 0.9 });
  const second = alert({ id: "second", incident_id: one, increase: 0.2, profile_type: "memory" });
  const alone = alert({ id: "alone", incident_id: other, increase: 0.5 });
  const incidents = [incidentOf(other, [alone]), incidentOf(one, [second, first])];
  const byIncreaseDown = { sort: "increase", isReversed: false } as const;
  const shown = (filter: AlertFilter, order: ListOrder = byIncreaseDown) =>
    shownIncidents(incidents, filter, order).map(({ incident, signals }) => [incident.id, ids(signals)]);

  it("are at the place of their first signal, with the others after it", () => {
    expect(shown({})).toEqual([
      [one, ["first", "second"]],
      [other, ["alone"]],
    ]);
    expect(shown({}, { sort: "increase", isReversed: true })).toEqual([
      [one, ["second", "first"]],
      [other, ["alone"]],
    ]);
  });

  it("have only the signals that a filter lets through, and say how many there are", () => {
    expect(shown({ type: "memory" })).toEqual([[one, ["second"]]]);
    const texts = (filter: AlertFilter) =>
      shownIncidents(incidents, filter, byIncreaseDown).map(signalCountText);
    expect(texts({})).toEqual(["2 signals", undefined]);
    expect(texts({ type: "memory" })).toEqual(["1 of 2 signals"]);
  });

  it("are counted with their alerts", () => {
    const text = (filter: AlertFilter, isComplete = true) =>
      countText(incidents, shownIncidents(incidents, filter, byIncreaseDown), isComplete);
    expect(text({})).toBe("3 alerts in 2 incidents");
    expect(text({}, false)).toBe("newest 3 alerts in 2 incidents");
    expect(text({ type: "memory" })).toBe("1 of 3 alerts");
    const single = [incidentOf(other, [alone])];
    expect(countText(single, shownIncidents(single, {}, byIncreaseDown), true)).toBe("1 alert");
  });
});

function incidentOf(id: string, signals: [Alert, ...Alert[]]): Incident {
  const [{ service, timestamp, severity, status }] = signals;
  const times = { timestamp, began_at: timestamp, resolved_at: null };
  return { id, service, severity, status, signals, ...times, comment_count: 0 };
}
