// @vitest-environment happy-dom
import {
  aggregateHttpMetrics,
  type HttpTimeline,
  httpTimeline,
  listHttpErrors,
  type Summary,
} from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announceLogout, enterDemo, startSession } from "#session/session.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { HttpAnalytics } from "./http/http-analytics.tsx";
import { HttpTimelineCard } from "./http/http-timeline-card.tsx";
import { RequestCharts } from "./http/request-charts.tsx";
import type { ProjectTime } from "./parts/project-time.ts";
import { SummaryCards } from "./summary-cards.tsx";
import { Timelines } from "./timelines.tsx";

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);

const nothing = () => undefined;
const time: ProjectTime = {
  scope: { service: "checkout", range: { from: "24h", to: "now" }, refetchInterval: false },
  label: "Last 24 hours",
  refreshMs: () => false,
  zone: "utc",
  bucket: "15m",
  bucketChoice: "auto",
  chooseBucket: nothing,
  zoomTo: nothing,
};
const down = () => failWith("internal", "The engine is being restarted");

function queryOf<T>(data: T | undefined, error: Error | null = null): never {
  return { data, error, isPlaceholderData: false, refetch: nothing } as never;
}

const quiet: HttpTimeline = {
  service: "checkout",
  interval_minutes: 5,
  interval_widened: false,
  from: "2026-11-20T12:00:00.000Z",
  to: "2026-11-20T12:05:00.000Z",
  complete_from: "2026-11-20T12:00:00.000Z",
  complete_to: "2026-11-20T12:05:00.000Z",
  is_approximate: false,
  has_sent_histograms: false,
  data_points: [
    {
      timestamp: "2026-11-20T12:00:00.000Z",
      request_count: 0,
      avg_duration_ms: null,
      p50_duration_ms: null,
      p95_duration_ms: null,
      p99_duration_ms: null,
      throughput_rps: 0,
      error_rate: null,
    },
  ],
  summary: {
    total_requests: 0,
    avg_duration_ms: null,
    p95_duration_ms: null,
    peak_throughput_rps: 0,
    overall_error_rate: null,
    total_data_mb: null,
  },
};
const busy: HttpTimeline = {
  ...quiet,
  data_points: [
    {
      ...quiet.data_points[0]!,
      request_count: 300,
      avg_duration_ms: 12,
      p50_duration_ms: 9,
      p95_duration_ms: 1_500,
      p99_duration_ms: 1_900,
      throughput_rps: 1,
      error_rate: 0.02,
      status_counts: { "2xx": 294, "3xx": 0, "4xx": 6, "5xx": 0, Other: 0 },
    },
  ],
  summary: {
    total_requests: 1_540,
    avg_duration_ms: 12,
    p95_duration_ms: 1_500,
    peak_throughput_rps: 3.25,
    overall_error_rate: 0.02,
    total_data_mb: null,
  },
};

/** Label and text of each figure. */
function figures(): (string | null)[][] {
  return screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling!.textContent]);
}

describe("the card of the HTTP timeline", () => {
  const card = (tab: "requests" | "latency" = "requests") => (
    <HttpTimelineCard time={time} tab={tab} onTab={nothing} />
  );

  it("says in the demo, and only there, why its rates are lower than those of comparisons", async () => {
    await startSession();
    server.on(httpTimeline, () => replyWith(httpTimeline, busy));
    const { unmount } = renderWithQueries(card());
    await screen.findByText("3.25");
    expect(screen.queryByText(/^Demo data holds/)).toBeNull();
    unmount();
    enterDemo();
    renderWithQueries(card());
    const note = await screen.findByText(/^Demo data holds/);
    expect(note.textContent).toContain("10 s of traffic per 5 min");
    expect(note.textContent).toContain("about 30 times too low");
    act(announceLogout);
    expect(screen.queryByText(/^Demo data holds/)).toBeNull();
  });

  it("says how exact durations are where requests were sent as histograms", async () => {
    server.on(httpTimeline, () => replyWith(httpTimeline, { ...busy, has_sent_histograms: true }));
    renderWithQueries(card());
    expect(await screen.findByText(/^Some requests arrived as histograms/)).toBeDefined();
  });

  it("shows its figures, the range and the chart of the tab", async () => {
    server.on(httpTimeline, () => replyWith(httpTimeline, busy));
    renderWithQueries(card("latency"));
    expect(await screen.findByRole("application", { name: "Latency" })).toBeDefined();
    expect(figures()).toEqual([
      ["Total Requests", "1.5K"],
      ["Avg Duration", "12 ms"],
      ["P95 Duration", "1.5 s"],
      ["Peak RPS", "3.25/s"],
      ["Error Rate", "2.0%"],
      ["Total Data", "N/A"],
    ]);
    expect(screen.getByText("Last 24 Hours")).toBeDefined();
    expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
      "Requests",
      "Latency",
      "Throughput",
      "Errors",
    ]);
    const table = within(await screen.findByRole("table", { name: "Latency" }));
    expect(table.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
      "12 ms",
      "1.5 s",
      "1.9 s",
    ]);
  });

  it("says when there is nothing and when it failed", async () => {
    server.on(httpTimeline, () => replyWith(httpTimeline, quiet));
    renderWithQueries(card());
    expect(await screen.findByRole("heading", { name: "No HTTP timeline data available" })).toBeDefined();
    cleanup();
    server.on(httpTimeline, down);
    renderWithQueries(card());
    expect(await screen.findByRole("heading", { name: "Failed to load HTTP timeline data" })).toBeDefined();
    expect(screen.getByRole("button", { name: "Try Again" })).toBeDefined();
  });
});

describe("the charts of requests", () => {
  it("are four", async () => {
    server.on(httpTimeline, () => replyWith(httpTimeline, busy));
    renderWithQueries(<RequestCharts time={time} />);
    await screen.findByRole("application", { name: "Request Rate" });
    const charts = screen.getAllByRole("application").map((chart) => chart.getAttribute("aria-label"));
    expect(charts).toEqual(["Request Rate", "Response Time", "Status Codes", "Error Rate"]);
    expect(screen.getByText("Requests by status class, by 5 minutes")).toBeDefined();
  });

  it("say when there is nothing and when it failed", async () => {
    server.on(httpTimeline, () => replyWith(httpTimeline, quiet));
    renderWithQueries(<RequestCharts time={time} />);
    expect(await screen.findByRole("heading", { name: "No HTTP metrics data available" })).toBeDefined();
    cleanup();
    server.on(httpTimeline, down);
    renderWithQueries(<RequestCharts time={time} />);
    const failed = "Failed to load HTTP metrics. Please try again later.";
    expect(await screen.findByRole("heading", { name: failed })).toBeDefined();
  });
});

describe("HTTP analytics", () => {
  const total = { count: 300, avg_duration: 0.012, p95_duration: 1.5, p99_duration: 1.9, error_rate: 0 };
  /** Paths are links, which need a router. */
  const analytics = (tab: "popular" | "performance" | "errors" | "reliability") => {
    const component = () => <HttpAnalytics time={time} tab={tab} onTab={nothing} />;
    const routeTree = createRootRoute({ component });
    return <RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() }) as never} />;
  };
  function answer(part: Partial<typeof total>) {
    const all = { ...total, ...part };
    server.on(aggregateHttpMetrics, () =>
      replyWith(aggregateHttpMetrics, {
        aggregations: all.count === 0 ? [] : [{ ...all, path: "/orders" }],
        total: all,
        is_approximate: false,
      }),
    );
  }

  it("have tiles, and a badge for the success rate", async () => {
    answer({ error_rate: 0.06 });
    renderWithQueries(analytics("performance"));
    const list = await screen.findByRole("list", { name: /^Slowest paths by p95/ });
    expect(list.textContent).toBe("/orders300 requests · p99 1.9 sp95 1.5 s");
    expect(figures()).toEqual([
      ["Total Requests", "300"],
      ["Avg Response", "12 ms"],
      ["P95", "1.5 s"],
      ["P99", "1.9 s"],
      ["Success Rate", "94.0%"],
      ["Error Rate", "6.0%"],
    ]);
    expect(screen.getByText("below 95%")).toBeDefined();
  });

  it("say that nothing failed", async () => {
    answer({});
    server.on(listHttpErrors, () =>
      replyWith(listHttpErrors, { count: 0, count_4xx: 0, count_5xx: 0, errors: [] }),
    );
    renderWithQueries(analytics("errors"));
    expect(await screen.findByRole("heading", { name: "No errors in the last 24 hours!" })).toBeDefined();
    cleanup();
    renderWithQueries(analytics("reliability"));
    const fine = "All endpoints have excellent success rates!";
    expect(await screen.findByRole("heading", { name: fine })).toBeDefined();
  });

  it("say when there is nothing and when it failed", async () => {
    answer({ count: 0 });
    renderWithQueries(analytics("popular"));
    expect(await screen.findByRole("heading", { name: "No HTTP metrics data available" })).toBeDefined();
    cleanup();
    server.on(aggregateHttpMetrics, down);
    renderWithQueries(analytics("popular"));
    expect(await screen.findByRole("heading", { name: "Failed to load HTTP statistics" })).toBeDefined();
  });
});

describe("the summary", () => {
  const summary: Summary = {
    total_profiles: 1_488,
    total_services: 1,
    recent_activity: { last_24_hours: 374, last_7_days: 720, last_30_days: 1_488 },
    recent_metric_batches: { last_24_hours: 288, last_7_days: 288, last_30_days: 288 },
    profiles_by_type: { cpu: 800, memory: 400, goroutine: 0, mutex: 0, metrics: 288 },
    time_range: {
      earliest: "2026-11-15T10:00:00.000Z",
      latest: "2026-11-20T10:00:00.000Z",
      duration_days: 5,
    },
    top_services: [],
    generated_at: "2026-11-20T10:00:00.000Z",
    performance_metrics: {
      cpu: {
        avg_cpu_percent: 41.25,
        p95_cpu_percent: 87.9,
        peak_cpu_percent: 98.7,
        avg_duration_ms: 10_000,
        total_samples: 1,
        seconds_per_request: 0.0052,
      },
      memory: {
        avg_heap_in_use_mb: 46.1,
        peak_heap_in_use_mb: 1536,
        avg_heap_alloc_mb: null,
        p95_heap_alloc_mb: null,
        peak_heap_alloc_mb: null,
      },
    },
  };

  it("has totals, counts by type, activity and performance, batches of HTTP metrics apart", () => {
    renderWithQueries(<SummaryCards query={queryOf({ summary })} />);
    expect(figures()).toEqual([
      ["Total Profiles", "1.2K"],
      ["Profile Types", "2"],
      ["Recent Activity", "86"],
      ["Avg CPU Usage", "41.3%"],
      ["CPU", "800"],
      ["Memory", "400"],
      ["Goroutine", "0"],
      ["Mutex", "0"],
      ["HTTP metric batches", "288"],
      ["24 hours", "86"],
      ["7 days", "432"],
      ["30 days", "1.2K"],
      ["Average", "41.3%"],
      ["95th percentile", "87.9%"],
      ["Peak", "98.7%"],
      ["Average duration", "10 s"],
      ["Per request", "5.2 ms"],
      ["Avg heap in use", "46.1 MB"],
      ["Peak heap in use", "1.5 GB"],
      ["Avg heap alloc", "N/A"],
    ]);
    expect(screen.getByText("Over 5 days")).toBeDefined();
    expect(screen.getByText(/^Data generated at /)).toBeDefined();
  });

  it("says when no profile has figures of performance", () => {
    const none = { ...summary, performance_metrics: { cpu: null, memory: null } };
    renderWithQueries(<SummaryCards query={queryOf({ summary: none })} />);
    expect(screen.getByText("No performance metrics available")).toBeDefined();
    expect(screen.getByText("profiles lack CPU time or duration")).toBeDefined();
    cleanup();
    const withoutCpu = { ...none, profiles_by_type: { memory: 400 } };
    renderWithQueries(<SummaryCards query={queryOf({ summary: withoutCpu })} />);
    expect(screen.getByText("no CPU profiles")).toBeDefined();
  });

  it("and the timelines say when there is nothing and when they failed", () => {
    renderWithQueries(<SummaryCards query={queryOf({ summary: { ...summary, total_profiles: 0 } })} />);
    expect(screen.getByRole("heading", { name: "No summary data available" })).toBeDefined();
    renderWithQueries(<SummaryCards query={queryOf<never>(undefined, new Error("away"))} />);
    const failed = "Failed to load summary data. Please try again later.";
    expect(screen.getByRole("heading", { name: failed })).toBeDefined();
    renderWithQueries(<Timelines time={time} query={queryOf({ data_points: [] })} />);
    expect(screen.getByRole("heading", { name: "No timeline data available" })).toBeDefined();
    renderWithQueries(<Timelines time={time} query={queryOf<never>(undefined, new Error("away"))} />);
    const failedTimeline = "Failed to load timeline data. Please try again later.";
    expect(screen.getByRole("heading", { name: failedTimeline })).toBeDefined();
  });
});
