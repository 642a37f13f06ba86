import type { Alert } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { incidentMessage, labelledLinks } from "./message.ts";

const range = { from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T11:30:00.000Z" };

function alertWith(shares: readonly number[]): Alert {
  return {
    id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    incident_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
    type: "cpu",
    profile_type: "cpu",
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    service: "checkout",
    timestamp: "2026-11-20T12:00:00.000Z",
    began_at: null,
    status: "open",
    resolved_at: null,
    severity: "critical",
    previous_value: 1e9,
    current_value: 2e9,
    increase: 1,
    percent_change: 100,
    functions: shares.map((share, index) => ({
      name: `function${index}`,
      self_before: 0,
      self_after: share * 1e9,
      total_before: 0,
      total_after: share * 1e9,
      share,
      total_share: share,
    })),
    previous_range: range,
    current_range: range,
    is_muted: false,
  };
}

const publicUrl = "https://flamekeep.example";

function alertMessage(event: "opened" | "updated" | "resolved", ...signals: Alert[]) {
  return incidentMessage(event, { id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845", signals }, publicUrl);
}

it("names the functions that grew most, without those that have less than 5% of the increase", () => {
  const { text } = alertMessage("opened", alertWith([0.9, 0.05, 0.04]));
  expect(text.split("\n").slice(1)).toEqual([
    "function0: 90% of the increase",
    "function1: 5% of the increase",
  ]);
});

it("leaves out functions that nobody can change, next to those that call them", () => {
  const alert = alertWith([0.4, 0.3, 0.3]);
  const names = ["runtime.mallocgc", "shop/cart.Price.deferwrap1", "encoding/json.Marshal"];
  const functions = alert.functions.map((each, index) => ({ ...each, name: names[index]! }));
  const { text } = alertMessage("opened", { ...alert, functions });
  expect(text.split("\n").slice(1)).toEqual(["encoding/json.Marshal: 30% of the increase"]);
});

it("says how fast a leak grows, in its unit", () => {
  const { title, text } = alertMessage("opened", {
    ...alertWith([]),
    profile_type: "goroutine",
    sample_type: "goroutine/count",
    unit: "count",
    previous_value: 500,
    current_value: 1000,
    growth_per_hour: 0.4,
  });
  expect(title).toBe("Critical: goroutines of checkout up 100.0% and growing by 400 goroutines an hour");
  expect(text).toContain("It grows by 400 goroutines an hour (40.0%) and has doubled since");
});

it("says that the size of a noisy rise is not known better", () => {
  const { text } = alertMessage("opened", { ...alertWith([]), likely_increase: { from: -0.02, to: 0.6 } });
  expect(text.split("\n")[1]).toBe("Values are noisy: the rise is likely between 0% and 60%.");
});

it("compares the versions that run side by side, and says that a rise is back", () => {
  const { text } = alertMessage("opened", {
    ...alertWith([]),
    resolved_before: "2026-11-20T10:40:00.000Z",
    release: {
      before: "1.7.2",
      after: "1.8.0",
      at: "2026-11-20T11:00:00.000Z",
      instances: { running: 1, all: 10 },
      values: { before: 1e9, after: 1.4e9 },
    },
  });
  expect(text.split("\n").slice(1, 3)).toEqual([
    "Instances with 1.8.0 are at 1.4 cores and those with 1.7.2 at 1 core in the same time: 40.0% more.",
    "It resolved at 2026-11-20 10:40 UTC, and is back.",
  ]);
});

it("names the culprit first, and leads to the comparison in which it is selected", () => {
  const culprit = { name: "main.(*Cart).price", file: "/app/shop/cart.go", line: 47, share: 0.97 };
  const alert = { ...alertWith([0.9]), culprit };
  const { text, link } = alertMessage("opened", alert);
  expect(text.split("\n").slice(1)).toEqual([
    "Look at main.(*Cart).price (cart.go:47): 97% of the increase is in it or in libraries it calls.",
    "function0: 90% of the increase",
    "Next: open the before/after comparison with main.(*Cart).price selected.",
  ]);
  const opened = new URL(link);
  expect(opened.pathname).toBe("/compare");
  expect(Object.fromEntries(opened.searchParams)).toEqual({
    service: "checkout",
    type: "cpu",
    sample_type: "cpu/nanoseconds",
    fn: culprit.name,
    before_from: range.from,
    before_to: range.to,
    after_from: range.from,
    after_to: range.to,
  });
});

it.each([
  ["", 0, "Look at main.price: "],
  ["C:\\shop\\cart.go", 0, "Look at main.price (cart.go): "],
])("names the culprit of the file %j without what is not known", (file, line, expected) => {
  const culprit = { name: "main.price", file, line, share: 1 };
  const { text } = alertMessage("opened", { ...alertWith([]), culprit });
  expect(text.split("\n")[1]).toContain(expected);
});

it("says of an alert that was marked as expected that the level stays", () => {
  const at = "2026-11-20T13:00:00.000Z";
  const resolved = { ...alertWith([]), status: "resolved", resolved_at: at } as const;
  const textOf = (by: string | null) => alertMessage("resolved", { ...resolved, expected: { by, at } }).text;
  const rest = "it stays up 100.0%, and the new level is the baseline from now on.";
  expect(textOf("Ada Lovelace")).toBe(`Marked as expected by Ada Lovelace: ${rest}`);
  expect(textOf(null)).toBe(`Marked as expected: ${rest}`);
});

it.each([
  ["memory", "inuse_space/bytes", "bytes", "memory in use", "From 512 MB to 1 GB"],
  [
    "memory",
    "alloc_space/bytes",
    "bytes per second",
    "allocated memory",
    "From 512 MB each second to 1 GB each second",
  ],
  ["custom", "open_carts/count", "count", "open carts", "From 536.9M to 1073.7M"],
] as const)("names what %s profiles measure as %s", (type, sampleType, unit, name, text) => {
  const measured = { profile_type: type, sample_type: sampleType, unit };
  const values = { previous_value: 2 ** 29, current_value: 2 ** 30 };
  const message = alertMessage("opened", { ...alertWith([]), ...measured, ...values });
  expect(message.title).toBe(`Critical: ${name} of checkout up 100.0%`);
  expect(message.text).toContain(text);
});
it("says of a canary how many instances run its version, and when a beginning is not known well", () => {
  const release = {
    before: "1.7.2",
    after: "1.8.0",
    at: "2026-11-20T11:55:00.000Z",
    instances: { running: 1, all: 10 },
  };
  const { text } = alertMessage("opened", { ...alertWith([]), release, began_error_seconds: 1800 });
  expect(text).toContain(
    "Version 1.8.0 runs on 1 of 10 instances since 2026-11-20 11:55 UTC; the previous version is 1.7.2.",
  );
  expect(text).not.toContain("replaced");
  expect(text).toContain("per instance, since about 2026-11-20 12:00 UTC.");
});

it("begins when the most precise of its signals began, as the page of the incident says", () => {
  const cpu = { ...alertWith([]), began_at: "2026-11-20T11:30:00.000Z", began_error_seconds: 3600 };
  const memory = { ...alertWith([]), profile_type: "memory", began_at: "2026-11-20T11:55:00.000Z" } as const;
  expect(alertMessage("opened", cpu, memory).text).toContain(
    "These started together at 2026-11-20 11:55 UTC.",
  );
  expect(alertMessage("opened", cpu, { ...cpu, profile_type: "mutex" }).text).toContain(
    "These started together at about 2026-11-20 11:30 UTC.",
  );
});

it("has each series once, as it is now", () => {
  const over = { ...alertWith([]), status: "resolved", resolved_at: "2026-11-20T12:30:00.000Z" } as const;
  const back = { ...alertWith([]), id: "9d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21", percent_change: 80 };
  expect(alertMessage("opened", over, back).title).toBe("Critical: CPU of checkout up 80.0%");
});

it("lists all signals of an incident with the release, the path to the culprit and what to do next", () => {
  const path = ["main.main", "net/http.HandlerFunc.ServeHTTP", "shop/checkout.priceCart"];
  const culprit = { name: "shop/checkout.priceCart", file: "/app/cart.go", line: 47, share: 0.9, path };
  const release = { before: "1.7.2", after: "1.8.0", at: "2026-11-20T11:55:00.000Z" };
  const cpu = { ...alertWith([]), increase: 0.3, percent_change: 30, severity: "warning", culprit } as const;
  const rest = { profile_type: "memory", sample_type: "inuse_space/bytes", unit: "bytes" } as const;
  const memory = { ...alertWith([]), ...rest, previous_value: 1024, current_value: 2048, release };
  const message = alertMessage("opened", cpu, { ...memory, has_requests: false });
  expect(message.title).toBe("Critical: 2 signals of checkout: CPU up 30.0%, memory in use up 100.0%");
  expect(message.text.split("\n")).toEqual([
    "These started together at 2026-11-20 12:00 UTC.",
    "Version 1.8.0 replaced 1.7.2 at 2026-11-20 11:55 UTC.",
    "The service sends no HTTP metrics, so the cause may be heavier traffic instead of the release.",
    "CPU up 30.0%: from 1 core to 2 cores, per instance, since 2026-11-20 12:00 UTC.",
    "Look at shop/checkout.priceCart (cart.go:47): 90% of the increase is in it or in libraries it calls.",
    "Path: main.main > http.HandlerFunc.ServeHTTP > checkout.priceCart",
    "memory in use up 100.0%: from 1 KB to 2 KB, per instance, since 2026-11-20 12:00 UTC.",
    "Next: open the before/after comparison with shop/checkout.priceCart selected.",
  ]);
  expect(new URL(message.link).searchParams.get("fn")).toBe(culprit.name);
  expect(alertMessage("updated", cpu, memory).title).toMatch(/^Update: Critical: 2 signals of checkout/);
});

it("says what is not known if neither requests nor a release are", () => {
  expect(alertMessage("opened", { ...alertWith([]), has_requests: false }).text).toContain(
    "The service sends no HTTP metrics, so heavier traffic cannot be told apart from slower code.",
  );
  expect(alertMessage("opened", { ...alertWith([]), has_requests: true }).text).not.toContain("HTTP metrics");
  const canary = { ...alertWith([]), has_requests: false, instances: ["web-3"], version: "1.8.0" };
  expect(alertMessage("opened", canary).text).toContain("Only on web-3, which runs version 1.8.0;");
  expect(alertMessage("opened", canary).text).not.toContain("HTTP metrics");
  expect(alertMessage("opened", { ...canary, instances_running: 10 }).text).toContain(
    "Only on 1 of 10 instances: web-3, which runs version 1.8.0; the others are unchanged.",
  );
});

it("says of each signal of a resolved incident how long it was up", () => {
  const at = "2026-11-20T13:00:00.000Z";
  const over = { ...alertWith([]), status: "resolved", resolved_at: at } as const;
  const { title, text } = alertMessage("resolved", over, { ...over, profile_type: "mutex" });
  expect(title).toBe("Resolved: all 2 signals of checkout");
  expect(text.split("\n")).toEqual([
    "CPU: It was up 100.0% from 2026-11-20 12:00 UTC to 2026-11-20 13:00 UTC.",
    "waiting for locks: It was up 100.0% from 2026-11-20 12:00 UTC to 2026-11-20 13:00 UTC.",
  ]);
});

it.each([
  [
    "http_p95",
    0.12,
    0.216,
    "Critical: p95 of GET /checkout in shop up 80.0%",
    "From 120 ms to 216 ms, since",
  ],
  [
    "http_error_rate",
    0.001,
    0.05,
    "Critical: error rate of GET /checkout in shop up from 0.1% to 5.0%",
    "From 0.1% to 5.0%, since",
  ],
] as const)("names the route and the values of %s", (signal, before, after, title, text) => {
  const values = {
    previous_value: before,
    current_value: after,
    percent_change: 100 * (after / before - 1),
  };
  const of = { signal, route: "GET /checkout", service: "shop" };
  const message = alertMessage("opened", { ...alertWith([]), ...of, ...values });
  expect(message.title).toBe(title);
  expect(message.text).toContain(text);
  expect(message.link).toBe(`${publicUrl}/alerts?incident=c4a7de01-58b3-4f96-a2d0-6e9b13f7c845`);
});

it("links the comparison and the incident, and an incident that is over alone", () => {
  const incident = {
    url: `${publicUrl}/alerts?incident=c4a7de01-58b3-4f96-a2d0-6e9b13f7c845`,
    label: "Open the incident",
  };
  const culprit = { name: "main.price", file: "", line: 0, share: 1 };
  const alert = { ...alertWith([]), culprit };
  const opened = alertMessage("opened", alert);
  expect(labelledLinks(opened)).toEqual([{ url: opened.link, label: "Compare before and after" }, incident]);
  expect(labelledLinks(alertMessage("opened", alertWith([])))).toEqual([incident]);
  const over = { ...alert, status: "resolved", resolved_at: "2026-11-20T13:00:00.000Z" } as const;
  expect(labelledLinks(alertMessage("resolved", over))).toEqual([incident]);
});
