// @vitest-environment happy-dom
import {
  createTarget,
  listTargets,
  removeTarget,
  type Target,
  testTarget,
  updateTarget,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { bodyOf, draftOf, newDraft, problemsOf, withProfile } from "./draft.ts";
import { TargetDialog } from "./target-dialog.tsx";
import { Targets } from "./targets.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

const target: Target = {
  id: "9a1f2f6e-53c8-4b0b-8d55-0d6c1f7d2b11",
  name: "checkout, production",
  service: "checkout",
  source: { kind: "dns", name: "checkout.internal", record: "A", port: 6060, scheme: "http" },
  interval_seconds: 15,
  profiles: ["cpu", "heap"],
  tags: { env: "production" },
  path_prefix: "",
  tls: { ca: "", skip_verification: false },
  is_enabled: true,
  header_names: ["Authorization"],
  changed_at: "2026-11-20T10:00:00.000Z",
  instances: [
    {
      instance: "10.1.2.3:6060",
      service: "checkout",
      last_scrape_at: "2026-11-20T10:00:00.000Z",
      duration_ms: 14_030,
      profiles: 1,
      error: "10.1.2.3:6060 has nothing at /debug/pprof/heap (404).",
      next_scrape_at: null,
    },
  ],
  instance_count: 3,
  failing: 1,
  discovery_error: null,
};

it("shows each target with its problem, and its processes when it is opened", async () => {
  const server = new FakeServer();
  signInAs("viewer");
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets: [target], targets_max: 1000 }));
  renderWithQueries(<Targets />);
  await screen.findByText("checkout, production");
  expect(screen.getByText("1 of 3 failing")).toBeTruthy();
  expect(screen.getByText(/has nothing at/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Add a target" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /the processes of checkout, production/ }));
  expect(screen.getByText(/in 14.0 s/)).toBeTruthy();
  expect(screen.getByText("and 2 more")).toBeTruthy();
});

it("keeps tags with commas and colons when it is edited", () => {
  const tags = { region: "b, c:d", env: "production" };
  expect(bodyOf(draftOf({ ...target, tags })).tags).toEqual(tags);
});

it("may be limited to targets with problems", async () => {
  const server = new FakeServer();
  signInAs("viewer");
  const named = (name: string, part: Partial<Target>): Target => ({
    ...target,
    ...part,
    id: crypto.randomUUID(),
    name,
  });
  const targets = [
    named("fails", {}),
    named("is not found", { failing: 0, discovery_error: "The DNS has no A record." }),
    named("is fine", { failing: 0 }),
    named("is off", { is_enabled: false }),
  ];
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets, targets_max: 1000 }));
  renderWithQueries(<Targets onlyProblems />);
  await screen.findByText("fails");
  expect(screen.getByText("is not found")).toBeTruthy();
  expect(screen.queryByText("is fine")).toBeNull();
  expect(screen.queryByText("is off")).toBeNull();
});

it("says what comes next: the first scrape, the next one, or none", async () => {
  const server = new FakeServer();
  signInAs("viewer");
  const now = Date.now();
  const fresh = { instances: [], instance_count: 0, failing: 0, changed_at: new Date(now).toISOString() };
  const [instance] = target.instances;
  const next = new Date(now + 3_650_000).toISOString();
  const targets: Target[] = [
    { ...target, ...fresh, id: crypto.randomUUID(), name: "fresh" },
    { ...target, ...fresh, id: crypto.randomUUID(), name: "off", is_enabled: false },
    {
      ...target,
      id: crypto.randomUUID(),
      name: "known",
      instances: [{ ...instance!, next_scrape_at: next }],
    },
  ];
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets, targets_max: 1000 }));
  renderWithQueries(<Targets />);
  expect((await screen.findByText(/First scrape within/)).textContent).toContain("within 25 s, every 15 s");
  expect(screen.getByText("Switched off")).toBeTruthy();
  expect(screen.queryByText(/0 processes/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /the processes of known/ }));
  expect(screen.getByText(/next in 1 h/)).toBeTruthy();
  expect(screen.getAllByText(/has nothing at/)).toHaveLength(1);
});

it("without targets, links to the guide", async () => {
  const server = new FakeServer();
  signInAs("viewer");
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets: [], targets_max: 1000 }));
  renderWithQueries(<Targets />);
  const link = await screen.findByRole("link", { name: "How to pull profiles" });
  expect(link.getAttribute("href")).toBe("/docs/send/pull");
});

it("a button that switches a target keeps the focus, and sends once", async () => {
  const server = new FakeServer();
  signInAs("member");
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets: [target], targets_max: 1000 }));
  server.on(updateTarget, () => new Promise<Response>(() => {}));
  renderWithQueries(<Targets />);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: /^Switch .* off$/ });
  fireEvent.click(button);
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("true"));
  expect(button.disabled).toBe(false);
  fireEvent.click(button);
  expect(server.callsOf(updateTarget)).toHaveLength(1);
});

it("the focus of a deleted target goes to the button that adds one", async () => {
  const server = new FakeServer();
  signInAs("member");
  let targets = [target];
  server.on(listTargets, () => replyWith(listTargets, { is_on: true, targets, targets_max: 1000 }));
  server.on(removeTarget, () => {
    targets = [];
    return replyWith(removeTarget, { id: target.id, name: target.name });
  });
  renderWithQueries(<Targets />);
  const remove = await screen.findByRole("button", { name: /^Delete checkout/ });
  remove.focus();
  fireEvent.click(remove);
  fireEvent.click(await screen.findByRole("button", { name: "Delete target" }));
  await screen.findByText(/needs only its address/);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add a target" })),
  );
});

it("the result of a test says an error of several profiles once, and is scrolled to", async () => {
  const server = new FakeServer();
  signInAs("member");
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
  const refused = "10.1.2.3:6060 refuses connections.";
  const profiles = [
    { profile: "cpu" as const, bytes: 0, error: refused },
    { profile: "heap" as const, bytes: 0, error: refused },
    { profile: "block" as const, bytes: 9, error: null },
  ];
  const instances = [{ instance: "10.1.2.3:6060", service: "checkout", profiles }];
  server.on(testTarget, () => replyWith(testTarget, { error: null, instance_count: 1, instances }));
  renderWithQueries(<TargetDialog target={target} onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole("button", { name: "Test" }));
  await screen.findByText("1 process found.");
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    `10.1.2.3:6060 cpu, heap: ${refused}`,
    "10.1.2.3:6060 block: answers",
  ]);
  expect(scroll).toHaveBeenCalledWith({ block: "nearest" });
});

it("the result of a test counts no processes where none answers", async () => {
  const server = new FakeServer();
  signInAs("member");
  const error = "10.1.2.3:6060 refuses connections.";
  const instances = [
    {
      instance: "10.1.2.3:6060",
      service: "checkout",
      profiles: [{ profile: "cpu" as const, bytes: 0, error }],
    },
  ];
  server.on(testTarget, () => replyWith(testTarget, { error: null, instance_count: 1, instances }));
  renderWithQueries(<TargetDialog target={target} onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole("button", { name: "Test" }));
  await screen.findByText(error);
  expect(screen.queryByText("1 process found.")).toBeNull();
});

it("a target is changed without its header values, and tested with the stored ones", async () => {
  const server = new FakeServer();
  signInAs("member");
  server.on(testTarget, () =>
    replyWith(testTarget, {
      error: null,
      instance_count: 1,
      instances: [
        {
          instance: "10.1.2.3:6060",
          service: "checkout",
          profiles: [{ profile: "heap", bytes: 9, error: null }],
        },
      ],
    }),
  );
  server.on(updateTarget, () => replyWith(updateTarget, { target }));
  const onClose = vi.fn();
  renderWithQueries(<TargetDialog target={target} onClose={onClose} />);
  fireEvent.click(await screen.findByRole("button", { name: "Test" }));
  await screen.findByText("1 process found.");
  fireEvent.click(screen.getByRole("button", { name: "Save target" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const kept = [{ name: "Authorization", value: null }];
  expect(server.callsOf(testTarget)[0]!.body).toMatchObject({ id: target.id, headers: kept });
  expect(server.callsOf(updateTarget)[0]!.body).toMatchObject({ headers: kept, source: target.source });
});

it("a target that is switched off keeps its tags, whatever their values", async () => {
  const server = new FakeServer();
  signInAs("member");
  const tags = { owners: "ana, bob" };
  const listed = { is_on: true, targets: [{ ...target, tags }], targets_max: 1000 };
  server.on(listTargets, () => replyWith(listTargets, listed));
  server.on(updateTarget, () => replyWith(updateTarget, { target }));
  renderWithQueries(<Targets />);
  fireEvent.click(await screen.findByRole("button", { name: "Switch checkout, production off" }));
  await waitFor(() => expect(server.callsOf(updateTarget)).toHaveLength(1));
  expect(server.callsOf(updateTarget)[0]!.body).toMatchObject({
    tags,
    headers: [{ name: "Authorization", value: null }],
    is_enabled: false,
  });
});

it("a target without a URL and service is not sent", async () => {
  const server = new FakeServer();
  signInAs("member");
  renderWithQueries(<TargetDialog target={undefined} onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole("button", { name: "Add target" }));
  expect(screen.getAllByText(/Enter a URL/).length).toBeGreaterThan(0);
  expect(server.callsOf(createTarget)).toEqual([]);
  fireEvent.change(screen.getByLabelText("URL"), { target: { value: "checkout:6060" } });
  expect(screen.queryByText(/Enter a URL/)).toBeNull();
  expect(screen.getAllByText(/Enter the name of a service/).length).toBeGreaterThan(0);
});

it("the fields of a target and back are the same target", () => {
  const { id: _id, header_names: names, changed_at: _at, instances: _i, ...definition } = target;
  const { instance_count: _c, failing: _f, discovery_error: _d, ...sent } = definition;
  expect(bodyOf(draftOf(target))).toEqual({ ...sent, headers: names.map((name) => ({ name, value: null })) });
});

it("a URL may be written without http, headers one a line", () => {
  const draft = { ...newDraft, service: "checkout", url: "checkout:6060", headers: "A: b:c\nKept\n" };
  expect(problemsOf(draft)).toEqual([]);
  expect(bodyOf(draft)).toMatchObject({
    name: "checkout",
    source: { kind: "url", url: "http://checkout:6060" },
    headers: [
      { name: "A", value: "b:c" },
      { name: "Kept", value: null },
    ],
  });
});

it("of profiles with the same figures only one is chosen", () => {
  expect(withProfile(["cpu", "heap"], "delta_heap", true)).toEqual(["cpu", "delta_heap"]);
  expect(withProfile(["cpu", "heap"], "cpu", false)).toEqual(["heap"]);
});
