// @vitest-environment happy-dom
import {
  listSenders,
  listServices,
  listTargets,
  type ReplyOf,
  type Sender,
  type Target,
} from "@flamekeep/contract";
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
import { noServices } from "#testing/no-services.ts";
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

const failing: Target = {
  id: "9a1f2f6e-53c8-4b0b-8d55-0d6c1f7d2b11",
  name: "checkout",
  service: "checkout",
  source: { kind: "url", url: "http://checkout:6060" },
  interval_seconds: 15,
  profiles: ["cpu"],
  tags: {},
  path_prefix: "",
  tls: { ca: "", skip_verification: false },
  is_enabled: true,
  header_names: [],
  changed_at: "2026-11-20T10:00:00.000Z",
  instances: [],
  instance_count: 1,
  failing: 1,
  discovery_error: null,
};

it("keeps the search box while all senders load after a search without a match", async () => {
  const server = new FakeServer();
  signInAs("member");
  const unanswered = new Promise<Response>(() => {});
  server.on(listSenders, ({ query }) => (query.has("q") ? replyWith(listSenders, nothing) : unanswered));
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets: [], targets_max: 1000 }));
  renderAt("/senders?q=nobody");
  await screen.findByText("No senders match");
  const box = screen.getByRole("searchbox", { name: "Search services" });
  fireEvent.change(box, { target: { value: "" } });
  await vi.waitFor(() => expect(server.callsOf(listSenders)).toHaveLength(2));
  expect(screen.getByRole("searchbox", { name: "Search services" })).toBe(box);
});

it("counts the targets that fail in its headline", async () => {
  const server = new FakeServer();
  signInAs("member");
  server.on(listSenders, () => replyWith(listSenders, nothing));
  server.on(listTargets, () =>
    replyWith(listTargets, { is_on: true, targets: [failing], targets_max: 1000 }),
  );
  renderAt("/senders?q=nobody");
  await screen.findByText("1 target fails.");
  expect(screen.queryByText("All regular senders are active.")).toBeNull();
});

it("counts them in an organization without uploads too", async () => {
  const server = new FakeServer();
  signInAs("member");
  server.on(listSenders, () => replyWith(listSenders, nothing));
  server.on(listTargets, () =>
    replyWith(listTargets, { is_on: true, targets: [failing], targets_max: 1000 }),
  );
  server.on(listServices, () => replyWith(listServices, noServices));
  renderAt("/senders");
  await screen.findByText("1 target fails.");
  expect(screen.queryByText("All regular senders are active.")).toBeNull();
  const guide = await screen.findByText(/No uploads in the last/);
  const order = screen.getByText("Targets").compareDocumentPosition(guide);
  expect(order & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
});

it("shows the rejected requests of a key with the key, not as those of its services", async () => {
  const server = new FakeServer();
  signInAs("member");
  const keyId = "6b0f9e3c-2d47-4a18-9c5e-7f1a20d4b683";
  const sender: Sender = {
    service: "checkout",
    state: "sending",
    since: null,
    last_received_at: "2026-11-20T10:00:00.000Z",
    types: [],
    interval_seconds: 15,
    received: [],
    instances: 1,
    key_ids: [keyId],
    dropped_tags: null,
    clock_error_seconds: null,
  };
  const key = {
    id: keyId,
    name: "production",
    prefix: "fk_a1",
    is_active: true,
    rejected: 24,
    rejections: [],
  };
  server.on(listSenders, () =>
    replyWith(listSenders, { ...nothing, senders: [sender], total: 1, keys: [key] }),
  );
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets: [], targets_max: 1000 }));
  renderAt("/senders");
  const [cell] = await screen.findAllByTitle(/24 rejected requests of all services since /);
  expect(cell?.textContent).toBe("production · 24 rejected");
  expect(screen.queryByText("Rejected")).toBeNull();
});

function renderAt(path: string) {
  const root = createRootRoute();
  const layout = createRoute({ getParentRoute: () => root, id: "protected" });
  const page = createRoute({
    getParentRoute: () => layout,
    path: "/senders",
    validateSearch: searchReader({ q: text({ max: 100 }) }),
    component: SendersPage,
  });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: root.addChildren([layout.addChildren([page])]), history });
  renderWithQueries(<RouterProvider router={router as never} />);
}
