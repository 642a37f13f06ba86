// @vitest-environment happy-dom
import { type Finding, listFindings, listMembers, updateFinding } from "@flamekeep/contract";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signedInId, signInAs } from "#testing/sign-in-as.ts";
import { searchReader } from "#url/search.ts";
import type { FindingsReply } from "./model.ts";
import { FindingsPage } from "./page.tsx";
import { findingsSearch } from "./search.ts";

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

const finding: Finding = {
  id: "5d0c8f62-91ab-4f0e-8f6a-30c1b7d2e945",
  service: "checkout",
  type: "cpu",
  display_type: "cpu",
  category: "cpu_optimization",
  priority: "high",
  confidence: 0.9,
  rule: "template-parse",
  issue: "Templates are parsed for every request",
  impact: "About 31 % of CPU.",
  solution: "Parse the template once.",
  function: { name: "shop.(*Catalogue).Render", file: "/src/shop/catalogue.go", line: 87 },
  sample_type: "cpu",
  cost: { value: 0.84, unit: "cores", per_month: 16.8 },
  saving: { value: 0.8, unit: "cores", per_month: 16 },
  first_seen_at: "2026-11-18T10:00:00.000Z",
  last_seen_at: "2026-11-20T10:00:00.000Z",
  is_current: true,
  analysis_id: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10",
  recommendation_id: "r1",
  profile_id: null,
  range: { from: "2026-11-19T10:00:00.000Z", to: "2026-11-20T10:00:00.000Z" },
  owner: null,
  state: "open",
  reason: null,
  state_at: null,
  effect: null,
};

const reply: FindingsReply = {
  findings: [finding],
  next_cursor: null,
  totals: {
    findings: 14,
    cores: 3.2,
    bytes: 1.1 * 2 ** 30,
    bytes_per_second: 0,
    milliseconds_per_second: 120,
    goroutines: 0,
    per_month: 96,
  },
  counts: { open: 12, accepted: 2, done: 0, dismissed: 0 },
  services: ["checkout"],
  price: { per_core_month: 20, per_gb_month: 3, currency: "USD" },
};

async function open(path: string, replied: FindingsReply) {
  const server = new FakeServer();
  signInAs("member");
  server.on(listFindings, () => replyWith(listFindings, replied));
  server.on(listMembers, () => replyWith(listMembers, { members: [] }));
  const root = createRootRoute();
  const layout = createRoute({ getParentRoute: () => root, id: "protected" });
  const page = createRoute({
    getParentRoute: () => layout,
    path: "/findings",
    validateSearch: searchReader(findingsSearch),
    component: FindingsPage,
  });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: root.addChildren([layout.addChildren([page])]), history });
  renderWithQueries(<RouterProvider router={router as never} />);
  await screen.findByText("Findings");
  return server;
}

it("adds up what can be saved, and shows function, line, cost and money of each finding", async () => {
  await open("/findings", reply);
  await screen.findByRole("heading", {
    name: "14 open findings, 2 of them accepted: 3.2 cores, 1.1 GB, 120 ms/s, about $96.00 a month",
  });
  const issue = screen.getByRole("link", { name: finding.issue });
  expect(issue.getAttribute("href")).toMatch(/^\/profiles\/service\/checkout\/cpu\?from=.*#ai-analysis$/);
  screen.getByText("catalogue.go:87");
  screen.getByText("$16.80 a month");
  screen.getByText("$16.00 a month");
});

it("shows no money without a price", async () => {
  const cost = { value: 0.84, unit: "cores", per_month: null } as const;
  await open("/findings", {
    ...reply,
    findings: [{ ...finding, cost, saving: cost }],
    totals: { ...reply.totals, per_month: null },
    price: null,
  });
  await screen.findByRole("heading", {
    name: "14 open findings, 2 of them accepted: 3.2 cores, 1.1 GB, 120 ms/s",
  });
  expect(screen.queryByText(/a month/)).toBeNull();
});

it("counts dismissed findings as such, and gives the impact of those without a cost", async () => {
  const dismissed = { ...finding, state: "dismissed", reason: "Runs once", cost: null } as const;
  const counts = { ...reply.counts, dismissed: 1 };
  await open("/findings?state=dismissed", { ...reply, findings: [dismissed], counts });
  await screen.findByRole("heading", { name: "1 dismissed finding" });
  screen.getByText(finding.impact);
  screen.getByRole("button", { name: `Nobody: choose an owner of ${finding.issue}` });
  screen.getByText(/^first seen/);
});

it("gives the focus back to the state of a finding while that is changed by keyboard", async () => {
  const server = await open("/findings", reply);
  server.on(updateFinding, () => new Promise<Response>(() => {}));
  const label = `Open: change the state of ${finding.issue}`;
  fireEvent.click(await screen.findByRole("button", { name: label }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Accept: we will do it" }));
  await vi.waitFor(() => expect(server.callsOf(updateFinding)).toHaveLength(1));
  const button = screen.getByRole("button", { name: label });
  await vi.waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("true"));
  await vi.waitFor(() => expect(document.activeElement).toBe(button));
});

it("reads the filters of the URL", async () => {
  const server = await open(
    `/findings?service=checkout&state=done&owner=${signedInId}&category=other`,
    reply,
  );
  await screen.findByText(finding.issue);
  expect(Object.fromEntries(server.callsOf(listFindings)[0]!.query)).toMatchObject({
    service: "checkout",
    state: "done",
    owner: signedInId,
    category: "other",
  });
});

it("says what to do where there are no findings, and what to clear where none matches", async () => {
  await open("/findings", { ...reply, findings: [], services: [] });
  await screen.findByText("No findings yet");
  screen.getByRole("link", { name: "Open the services" });
  cleanup();
  await open("/findings?state=done", { ...reply, findings: [] });
  await screen.findByText("No finding matches");
  screen.getByRole("button", { name: "Clear Filters" });
});

it("proposes to mark as done what a deploy improved, and says why nothing was changed", async () => {
  const effect = {
    status: "improved",
    function: "shop.(*Catalogue).Render",
    share_before: 0.31,
    share_after: 0.04,
    change: -0.86,
    is_per_request: false,
    profiles: 14,
    measured_at: "2026-11-20T10:00:00.000Z",
    version: "v1.9.0",
    since: "2026-11-20T08:00:00.000Z",
  } as const;
  const accepted = { ...finding, state: "accepted", effect } as const;
  const server = await open("/findings", { ...reply, findings: [accepted] });
  await screen.findByText(
    /^Since v1\.9\.0: it helped: from 31\.0% to 4\.0% of the profile, 86% less per second/,
  );
  server.on(updateFinding, () => failWith("unavailable", "The server is stopping."));
  fireEvent.click(screen.getByRole("button", { name: "Mark as done" }));
  await vi.waitFor(() => expect(server.callsOf(updateFinding)).toHaveLength(1));
  expect(server.callsOf(updateFinding)[0]!.body).toEqual({ state: "done" });
});
