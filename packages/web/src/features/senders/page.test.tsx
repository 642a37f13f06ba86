// @vitest-environment happy-dom
import { listSenders, listTargets, type ReplyOf } from "@flamekeep/contract";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { searchReader, text } from "#url/search.ts";
import { SendersPage } from "./page.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

const nothing: ReplyOf<typeof listSenders> = {
  from: "2026-11-19T10:00:00.000Z",
  to: "2026-11-20T10:00:00.000Z",
  bucket_seconds: 1800,
  senders: [],
  next_cursor: null,
  total: 0,
  silent: 0,
  stopped_types: 0,
  rejected_since: "2026-11-13",
  keys: [],
};

it("keeps the search box while all senders load after a search without a match", async () => {
  const server = new FakeServer();
  signInAs("member");
  const unanswered = new Promise<Response>(() => {});
  server.on(listSenders, ({ query }) => (query.has("q") ? replyWith(listSenders, nothing) : unanswered));
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets: [], targets_max: 1000 }));
  const root = createRootRoute();
  const layout = createRoute({ getParentRoute: () => root, id: "protected" });
  const page = createRoute({
    getParentRoute: () => layout,
    path: "/senders",
    validateSearch: searchReader({ q: text({ max: 100 }) }),
    component: SendersPage,
  });
  const history = createMemoryHistory({ initialEntries: ["/senders?q=nobody"] });
  const router = createRouter({ routeTree: root.addChildren([layout.addChildren([page])]), history });
  renderWithQueries(<RouterProvider router={router as never} />);
  await screen.findByText("No senders match");
  const box = screen.getByRole("searchbox", { name: "Search services" });
  fireEvent.change(box, { target: { value: "" } });
  await vi.waitFor(() => expect(server.callsOf(listSenders)).toHaveLength(2));
  expect(screen.getByRole("searchbox", { name: "Search services" })).toBe(box);
});
