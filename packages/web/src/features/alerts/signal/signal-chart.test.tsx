// @vitest-environment happy-dom
import { type Alert, httpTimeline, type ServiceSeries, serviceSeries } from "@flamekeep/contract";
import { act, cleanup, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { cpuAlert } from "#testing/alerts.ts";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { SignalChart } from "./signal-chart.tsx";

const at = (clock: string) => `2026-11-20T${clock}:00.000Z`;
const alert: Alert = {
  ...cpuAlert,
  type: "resolved",
  profile_type: "memory",
  sample_type: "inuse_space/bytes",
  unit: "bytes",
  timestamp: at("10:30"),
  began_at: at("10:00"),
  status: "resolved",
  resolved_at: at("10:30"),
  previous_value: 1024,
  current_value: 2048,
  previous_range: { from: at("09:30"), to: at("10:00") },
  current_range: { from: at("10:00"), to: at("10:30") },
};

const line = {
  value: "",
  total: 1536,
  profiles: 4,
  values: [1024, 1024, 2048, 2048],
  profile_counts: [1, 1, 1, 1],
  durations_ms: [0, 0, 0, 0],
};
const series: ServiceSeries = {
  service: "checkout",
  bucket: "30m",
  bucket_widened: false,
  from: at("09:00"),
  to: at("11:00"),
  complete_from: at("09:00"),
  complete_to: at("11:00"),
  group_by: null,
  group_by_label: null,
  labels: {},
  tags: {},
  charts: [
    {
      type: "memory",
      sample_types: ["inuse_space/bytes"],
      sample_type: "inuse_space/bytes",
      aggregation: "mean",
      lines: [line],
      other: null,
    },
  ],
};

/** Says that everything observed came on the screen. */
let scrollThere: () => void;
let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  server.on(serviceSeries, () => replyWith(serviceSeries, series));
  const observed: (() => void)[] = [];
  scrollThere = () => act(() => observed.forEach((tell) => void tell()));
  class Observer {
    readonly #tell: (entries: { isIntersecting: boolean }[]) => void;
    constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
      this.#tell = tell;
    }
    observe() {
      this.#tell([{ isIntersecting: false }]);
      observed.push(() => this.#tell([{ isIntersecting: true }]));
    }
    disconnect() {}
  }
  vi.stubGlobal("IntersectionObserver", Observer);
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

it("reads the series once it is on the screen, and shows the level before and the change", async () => {
  const { container } = renderWithQueries(<SignalChart alert={alert} size="row" />);
  expect(server.callsOf(serviceSeries)).toHaveLength(0);
  scrollThere();
  const chart = await screen.findByRole("img");
  expect(chart.getAttribute("aria-label")).toMatch(/^In-use memory of checkout: baseline 1 KB, 2 KB since /);
  expect(server.callsOf(serviceSeries)).toHaveLength(1);
  // 32 px high, with a pixel above and below: half of the largest value is in the middle, an hour of two is half of the width.
  expect(container.querySelector("[data-part=baseline]")?.getAttribute("d")).toBe("M0 16H100");
  expect(container.querySelector("[data-part=change]")?.getAttribute("d")).toBe("M50 0V32");
});

it("says that the profiles are gone", async () => {
  server.on(serviceSeries, () => replyWith(serviceSeries, { ...series, charts: [] }));
  renderWithQueries(<SignalChart alert={alert} size="card" />);
  scrollThere();
  await screen.findByText("No profiles are stored");
});

it("shows the p95 of one route from its requests", async () => {
  const point = (clock: string, p95: number | null) => ({
    timestamp: at(clock),
    request_count: p95 === null ? 0 : 100,
    avg_duration_ms: p95,
    p50_duration_ms: p95,
    p95_duration_ms: p95,
    p99_duration_ms: p95,
    throughput_rps: 0.2,
    error_rate: 0,
    status_counts: { "2xx": 100, "3xx": 0, "4xx": 0, "5xx": 0, Other: 0 },
  });
  server.on(httpTimeline, () =>
    replyWith(httpTimeline, {
      service: "checkout",
      interval_minutes: 30,
      interval_widened: false,
      is_approximate: false,
      has_sent_histograms: false,
      from: at("09:00"),
      to: at("11:00"),
      complete_from: at("09:00"),
      complete_to: at("10:45"),
      data_points: [point("09:00", 10), point("09:30", null), point("10:00", 20), point("10:30", 900)],
      summary: {
        total_requests: 300,
        avg_duration_ms: 10,
        p95_duration_ms: 20,
        peak_throughput_rps: 0.2,
        overall_error_rate: 0,
        total_data_mb: null,
      },
    }),
  );
  const route = { ...alert, signal: "http_p95", route: "GET /orders/{id}", unit: "seconds" } as const;
  const { container } = renderWithQueries(
    <SignalChart alert={{ ...route, previous_value: 0.01, current_value: 0.02 }} size="row" />,
  );
  scrollThere();
  const chart = await screen.findByRole("img");
  expect(chart.getAttribute("aria-label")).toMatch(
    /^p95 of GET \/orders\/\{id\} of checkout: baseline 10 ms, 20 ms /,
  );
  const [asked] = server.callsOf(httpTimeline);
  expect([asked?.query.get("method"), asked?.query.get("path")]).toEqual(["GET", "/orders/{id}"]);
  // The p95 of the half hour that is not over yet is left out: the level before is half of the largest value.
  expect(container.querySelector("[data-part=baseline]")?.getAttribute("d")).toBe("M0 16H100");
});

it("has no chart of some instances alone", () => {
  const { container } = renderWithQueries(<SignalChart alert={{ ...alert, instances: ["a"] }} size="row" />);
  expect(container.innerHTML).toBe("");
});
