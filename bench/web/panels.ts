import type { Dashboard, DashboardPanel } from "@flamekeep/contract";
import type { Page } from "@flamekeep/e2e/browser";
import { atMost, type Measurement, quantile } from "#result";
import { untilQuiet } from "./page-times.ts";
import type { Visitor } from "./visitor.ts";

const rounds = 3;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const id = "00000000-0000-4000-8000-000000000001";
const isPanelCall = /\/api\/v1\/protected\/(?!dashboards|services\b)/;

const common = { title: "", service: "$service", width: 1 } as const;
const panels: readonly DashboardPanel[] = [
  { ...common, kind: "lane", id: "cpu", figure: "cpu" },
  { ...common, kind: "lane", id: "memory", figure: "memory" },
  { ...common, kind: "lane", id: "goroutines", figure: "goroutine" },
  { ...common, kind: "lane", id: "locks", figure: "mutex" },
  { ...common, kind: "lane", id: "latency", figure: "p95" },
  { ...common, kind: "lane", id: "errors", figure: "errors" },
  { ...common, kind: "flame_graph", id: "cpu-graph", type: "cpu" },
  { ...common, kind: "top", id: "cpu-top", type: "cpu" },
  { ...common, kind: "routes", id: "routes" },
  { ...common, kind: "alerts", id: "alerts" },
  { ...common, kind: "flame_graph", id: "memory-graph", type: "memory" },
  { ...common, kind: "top", id: "memory-top", type: "memory" },
];

/**
 * A dashboard with 12 panels, compared with the slowest of dashboards that have one of them: from the opening of the page to the last
 * reply. Each visit is about a range that the server has not answered yet.
 */
export async function measurePanels(visitor: Visitor): Promise<Measurement[]> {
  const page = await visitor.page("demo");
  let shown = panels;
  await page.route(`**/protected/dashboards/${id}`, (route) => route.fulfill({ json: dashboardOf(shown) }));
  let visits = 0;
  const open = (some: readonly DashboardPanel[]) => {
    shown = some;
    return lastReplyAt(page, addressAt(visits++));
  };
  // The code and fonts of all panels are in the browser's cache then.
  await open(panels);
  const together: number[] = [];
  const alone: number[][] = panels.map(() => []);
  for (let round = 0; round < rounds; round++) {
    together.push(await open(panels));
    for (const [index, panel] of panels.entries()) alone[index]!.push(await open([panel]));
  }
  await page.context().close();
  const allMs = quantile(together, 0.5);
  const slowestMs = Math.max(...alone.map((times) => quantile(times, 0.5)));
  return [
    { what: "dashboard of 12 panels: opening to last reply, new range", value: allMs, unit: "ms" },
    {
      what: "dashboard of its slowest panel: opening to last reply, new range",
      value: slowestMs,
      unit: "ms",
    },
    {
      what: "dashboard of 12 panels: against its slowest panel",
      value: allMs / slowestMs,
      unit: "times",
      bar: atMost(1.5),
    },
  ];
}

function dashboardOf(some: readonly DashboardPanel[]): Dashboard {
  return {
    id,
    name: "Panels",
    description: "",
    variables: { service: "checkout", version: "", region: "" },
    range: "24h",
    panels: [...some],
    version: 1,
    saved_at: new Date(endMs).toISOString(),
    saved_by: null,
  };
}

const endMs = Math.floor(Date.now() / hourMs) * hourMs;

/** Six hours that end so many minutes before the last full hour. */
function addressAt(shiftMinutes: number): string {
  const toMs = endMs - shiftMinutes * minuteMs;
  const range = { from: new Date(toMs - 6 * hourMs).toISOString(), to: new Date(toMs).toISOString() };
  return `/dashboards/${id}?${new URLSearchParams({ service: "checkout", ...range })}`;
}

async function lastReplyAt(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await untilQuiet(page);
  return page.evaluate((pattern) => {
    const calls = (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).filter(
      ({ name }) => new RegExp(pattern).test(name),
    );
    return Math.max(...calls.map(({ responseEnd }) => responseEnd));
  }, isPanelCall.source);
}
