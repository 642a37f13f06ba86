// @vitest-environment happy-dom
import { type FunctionGrouping, type Profile, profileStatistics, type ReplyOf } from "@flamekeep/contract";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { InfoCard } from "./page.tsx";
import { StatisticsPanel } from "./statistics-panel.tsx";

const at = "2026-11-20T12:00:00.000Z";
const batch: Profile = {
  profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
  service: "search",
  type: "metrics",
  display_type: "metrics",
  timestamp: at,
  tags: {},
  sample_types: [],
  stack_count: 0,
  size_bytes: 1,
  received_at: at,
  trimmed: {},
  statistics: { total_samples: 1, duration_ms: 0 },
};

const cpu: Profile = { ...batch, type: "cpu", display_type: "cpu" };

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

it("a profile without tags says so", () => {
  render(<InfoCard profile={batch} />);
  expect(screen.getByText("No tags")).toBeDefined();
  expect(screen.getByText("Timestamp")).toBeDefined();
});

it("a profile says what its figures lack", () => {
  const notice = "This CPU profile counts samples, so its figures are samples.";
  render(<InfoCard profile={{ ...batch, notice }} />);
  expect(screen.getByText(notice)).toBeDefined();
});

const functions = {
  grouping: "function",
  onFind: () => undefined,
  onGroupingChange: () => undefined,
} as const;

it("a profile without statistics says so, and why", async () => {
  const none: ReplyOf<typeof profileStatistics> = {
    profile_id: batch.profile_id,
    sample_count: 1,
    duration: "unknown",
    profile_type: "metrics",
    sample_type: { type: "requests", unit: "count" },
    statistics: null,
    top_functions: [],
    top_waits: null,
    call_patterns: [],
    cpu_stats: null,
    context: { go_version: null, framework: null, platform: null },
  };
  server.on(profileStatistics, () => replyWith(profileStatistics, none));
  renderWithQueries(<StatisticsPanel profile={batch} {...functions} />);
  await screen.findByRole("heading", { name: "Statistics not yet available for this profile" });
  expect(screen.getByText(/^1 HTTP request\. See it under HTTP performance\./)).toBeDefined();
});

it.each([
  ["cpu", { type: "samples", unit: "count" }, "duration not recorded"],
  ["mutex", { type: "delay", unit: "nanoseconds" }, "since the process started"],
  ["memory", { type: "inuse_space", unit: "bytes" }, "at one moment"],
  ["memory", { type: "alloc_space", unit: "bytes" }, "since the process started"],
  ["goroutine", { type: "goroutine", unit: "count" }, "at one moment"],
] as const)("a %s profile of %o without a duration says %s", async (type, sample_type, text) => {
  server.on(profileStatistics, () =>
    replyWith(profileStatistics, {
      ...{
        profile_id: cpu.profile_id,
        sample_count: 2,
        duration: "unknown",
        profile_type: type,
        sample_type,
      },
      statistics: {
        ...{ unique_functions: 1, max_stack_depth: 1, avg_stack_depth: 1 },
        ...{ unique_locations: 2, hot_path_count: 2 },
      },
      ...{ top_functions: [], top_waits: null, call_patterns: [] },
      cpu_stats: type === "cpu" ? { cpu_percent: null, cpu_time_ns: null, total_samples: 2 } : null,
      context: { go_version: null, framework: null, platform: null },
    }),
  );
  renderWithQueries(<StatisticsPanel {...functions} profile={{ ...cpu, type, display_type: type }} />);
  await screen.findByText(new RegExp(`${text}$`));
  expect(screen.queryAllByText("samples without a period").length).toBe(type === "cpu" ? 1 : 0);
  expect(screen.queryByText(/0 cores/)).toBeNull();
});

function Panel() {
  const [grouping, setGrouping] = useState<FunctionGrouping>("function");
  return <StatisticsPanel {...functions} profile={cpu} grouping={grouping} onGroupingChange={setGrouping} />;
}

it("the statistics have a switch of their functions", async () => {
  const asked: unknown[] = [];
  const sort = (name: string) => ({
    ...{ name, file: "/go/sort.go", line: 10, category: "standard_library" as const },
    ...{ self_percent: 50, self_value: 50, cum_percent: 50, cum_value: 50 },
  });
  server.on(profileStatistics, ({ query }) => {
    const grouping = query.get("group_by");
    asked.push(grouping);
    const names =
      grouping === null ? ["slices.Sort"] : ["slices.Sort[go.shape.int]", "slices.Sort[go.shape.string]"];
    return replyWith(profileStatistics, {
      ...{ profile_id: cpu.profile_id, sample_count: 2, duration: "1s", profile_type: "cpu" },
      sample_type: { type: "cpu", unit: "nanoseconds" },
      statistics: {
        unique_functions: names.length,
        ...{ max_stack_depth: 1, avg_stack_depth: 1, unique_locations: 2, hot_path_count: 2 },
      },
      ...{ top_functions: names.map(sort), top_waits: null, call_patterns: [], cpu_stats: null },
      context: { go_version: null, framework: null, platform: null },
    });
  });
  renderWithQueries(<Panel />);
  await screen.findByText(/^(?:slices\.)?Sort$/);
  fireEvent.click(screen.getByRole("button", { name: "Functions of the statistics" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "By instantiation of generics" }));
  await screen.findByText(/go\.shape\.string/);
  expect(asked).toEqual([null, "instantiation"]);
});
