// @vitest-environment happy-dom
import {
  type Alert,
  blockChart,
  customChart,
  type Frame,
  goroutineChart,
  listAlerts,
  mutexChart,
  type Profile,
  type ReplyOf,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { analysisTitles } from "../model.ts";
import { Analysis } from "./analysis.tsx";

const id = "3f9a1c07be52d8e4460b7c91691e9f40";
const timestamp = "2026-11-20T12:00:00.000Z";
const charted = { profile_id: id, service: "search", timestamp, tags: {}, duration_ms: 10_000 };

let server: FakeServer;
let found: string[];
beforeEach(() => {
  server = new FakeServer();
  found = [];
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

function show(type: "goroutine" | "mutex" | "block" | "custom") {
  const profile: Profile = {
    profile_id: id,
    service: "search",
    type,
    display_type: type,
    timestamp,
    tags: {},
    sample_types: [],
    stack_count: 1,
    size_bytes: 1,
    received_at: timestamp,
    trimmed: {},
  };
  renderWithQueries(<Analysis profile={profile} onFind={(name) => found.push(name)} />);
}

function frame(function_name: string, line_number: number): Frame {
  return { function_name, package_name: "shop", file_name: "shop/suggest.go", line_number };
}

const ask = frame("shop/search.(*Suggester).ask", 49);
const park = frame("runtime.gopark", 1);

const contention: ReplyOf<typeof mutexChart> = {
  profile: charted,
  covers: "window",
  explanation: "What it measures.",
  stack_side: "holder",
  contentions: 465,
  total_delay_ms: 978_000,
  call_sites: [
    {
      call_site: ask,
      operation: "sync.(*Mutex).Unlock",
      kind: "mutex",
      holder: ask.function_name,
      waiter: null,
      contentions: 465,
      total_delay_ms: 978_000,
      mean_delay_ms: 2.44,
      percent: 100,
      stack_count: 1,
      stack: [ask],
    },
  ],
  call_sites_total: 1,
};

it("groups goroutines by state and stack, with growth and creator, and opens a stack", async () => {
  server.on(goroutineChart, () =>
    replyWith(goroutineChart, {
      profile: charted,
      previous: { profile_id: id, timestamp: "2026-11-20T11:27:00.000Z", total: 92 },
      explanation: "What it measures.",
      total: 104,
      states: [{ state: "chan send", count: 104, percent: 100 }],
      groups: [
        {
          state: "chan send",
          count: 104,
          percent: 100,
          growth: 12,
          waiting_time_ms: 120_000,
          at: ask,
          entry: ask,
          creator: "shop/search.New",
          stack: [park, ask],
        },
      ],
      groups_total: 1,
    }),
  );
  show("goroutine");
  const before = await screen.findByText("33 min earlier");
  expect(before.parentElement?.textContent).toBe("104 goroutines, 12 more than 33 min earlier");
  expect(screen.getByText("+12")).toBeDefined();
  expect(screen.getByText(/started by search\.New, waiting for up to 2 min/)).toBeDefined();
  expect(screen.queryByRole("list", { name: "Stack, leaf first" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show the stack" }));
  screen.getByRole("list", { name: "Stack, leaf first" });
  fireEvent.click(screen.getByRole("button", { name: "runtime.gopark" }));
  expect(found).toEqual(["runtime.gopark"]);
});

describe("with an open alert on goroutines", () => {
  const range = { from: "2026-11-20T04:00:00.000Z", to: "2026-11-20T08:00:00.000Z" };
  const alert: Alert = {
    id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    incident_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    profile_id: id,
    service: "search",
    type: "goroutine",
    profile_type: "goroutine",
    sample_type: "goroutine/count",
    unit: "count",
    functions: [],
    is_muted: false,
    timestamp: "2026-11-20T13:10:00.000Z",
    began_at: null,
    status: "open",
    resolved_at: null,
    severity: "critical",
    previous_value: 100,
    current_value: 268,
    increase: 1.68,
    percent_change: 168,
    previous_range: range,
    current_range: range,
  };
  const open = (began_at: string) =>
    server.on(listAlerts, () =>
      replyWith(listAlerts, { alerts: [{ ...alert, began_at }], next_cursor: null, open_count: 1 }),
    );
  const none = { states: [], groups: [], groups_total: 0, explanation: "What it measures." };
  const growth = async () => (await screen.findByText("33 min")).parentElement?.textContent;
  beforeEach(() => {
    const previous = { profile_id: id, timestamp: "2026-11-20T11:27:00.000Z", total: 104 };
    server.on(goroutineChart, () =>
      replyWith(goroutineChart, { profile: charted, previous, total: 104, ...none }),
    );
  });

  it("the growth since it began follows that since the profile before", async () => {
    open("2026-11-20T08:00:00.000Z");
    show("goroutine");
    await screen.findByText(/, up 168% since/);
    expect(await growth()).toMatch(/^104 goroutines, unchanged for 33 min, up 168% since /);
  });

  it("an older profile has nothing to do with it", async () => {
    open("2026-11-20T13:00:00.000Z");
    show("goroutine");
    await waitFor(() => expect(server.callsOf(listAlerts)).toHaveLength(1));
    expect(await growth()).toBe("104 goroutines, unchanged for 33 min");
  });
});

it("lists who held locks, with the time of all waits together", async () => {
  server.on(mutexChart, () => replyWith(mutexChart, contention));
  show("mutex");
  await screen.findByRole("region", { name: "Who held the locks" });
  screen.getByText("465 waits, 16 min 18 s in total over all goroutines in 10 s");
  screen.getByText(/held the lock until sync\.\(\*Mutex\)\.Unlock/);
  screen.getByText("100.0% · 465 waits of 2.44 ms on average");
});

it("says so where nobody waited", async () => {
  const nobody = { ...contention, stack_side: "waiter" as const, contentions: 0, total_delay_ms: 0 };
  server.on(blockChart, () => replyWith(blockChart, { ...nobody, call_sites: [], call_sites_total: 0 }));
  show("block");
  await screen.findByText("No waits.");
});

it("shows the program's own values by stack and by label", async () => {
  const values = { "shop/open_carts/count": 12 };
  server.on(customChart, () =>
    replyWith(customChart, {
      profile: charted,
      explanation: "What it measures.",
      sample_types: [{ type: "shop/open_carts", unit: "count", aggregation: "mean", total: 12 }],
      stacks: [{ values, percent: 100, at: ask, stack: [ask] }],
      stacks_total: 1,
      labels: [{ key: "region", value: "eu", values, percent: 100 }],
      labels_total: 1,
    }),
  );
  show("custom");
  await screen.findByText("region: eu");
  expect(screen.getAllByText("12 open carts").length).toBe(2);
});

it("says which data failed, and tries again", async () => {
  server.on(blockChart, () => failWith("internal", "The store is away."));
  show("block");
  await screen.findByText("Failed to load block specific data. Please try again later.");
  server.on(blockChart, () => replyWith(blockChart, contention));
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("What it measures.");
});

it("the tabs are named as specified", () => {
  expect(analysisTitles).toEqual({
    goroutine: "Goroutine Analysis",
    mutex: "Mutex Contention",
    block: "Block Analysis",
    custom: "Custom Spans",
  });
});
