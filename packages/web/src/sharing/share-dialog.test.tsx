// @vitest-environment happy-dom
import { createSharedLink, listSharedLinks, type SharedLink } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { chooseZone } from "#preferences/time-zone.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import type { PageAddress } from "#time-range/page-address.ts";
import { ShareDialog } from "./share-dialog.tsx";
import type { Shared } from "./shared.ts";

const shared: Shared = { graph: { kind: "profile", profile_id: "0".repeat(32) }, look: { q: "json" } };
const link: SharedLink = {
  id: "9b2f6a4e-5f0c-4a6e-9d0a-0f0b6f1f2a11",
  kind: "profile",
  service: "checkout",
  type: "cpu",
  created_by: "Ada Lovelace",
  created_at: "2026-11-20T10:00:00.000Z",
  expires_at: "2026-11-27T10:00:00.000Z",
  last_opened_at: null,
  is_revocable: true,
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  signInAs("member");
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

const page = "https://flamekeep.example.com/profiles/service/checkout/cpu";
const fixed = `${page}?from=2026-11-20T10%3A00%3A00Z&to=2026-11-20T11%3A00%3A00Z`;

function open(isAllowed = true, address: PageAddress = { fixed }) {
  server.on(listSharedLinks, () => replyWith(listSharedLinks, { is_allowed: isAllowed, shared_links: [] }));
  const component = () => <ShareDialog address={address} shared={shared} onClose={() => {}} />;
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  renderWithQueries(<RouterProvider router={router as never} />);
  return screen.findByRole("dialog", { name: "Share this view" });
}

it("creates a public link for a week and shows it once", async () => {
  const url = "https://flamekeep.example.com/shared/token";
  server.on(createSharedLink, () => replyWith(createSharedLink, { shared_link: link, url }));
  await open();
  fireEvent.click(await screen.findByRole("button", { name: "Create public link" }));
  expect((await screen.findByTestId("public-link")).textContent).toBe(url);
  expect(server.callsOf(createSharedLink).map(({ body }) => body)).toEqual([
    { ...shared, expires_in_days: 7 },
  ]);
  expect(screen.queryByRole("button", { name: "Create public link" })).toBeNull();
});

it("shows why a link was not created", async () => {
  server.on(createSharedLink, () => failWith("quota_exceeded", "Your organization has 500 public links"));
  await open();
  fireEvent.click(await screen.findByRole("button", { name: "Create public link" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Your organization has 500 public links");
});

it("names the setting where the organization does not allow public links", async () => {
  await open(false);
  const setting = await screen.findByRole("link", { name: "Settings, Organization" });
  expect(setting.getAttribute("href")).toBe("/settings?tab=organization");
  expect(screen.queryByRole("button", { name: "Create public link" })).toBeNull();
});

it("offers only the address to people who may not change anything", async () => {
  signInAs("viewer");
  await open();
  await screen.findByRole("button", { name: "Copy link" });
  expect(screen.queryByText("For anyone")).toBeNull();
  expect(server.callsOf(listSharedLinks)).toEqual([]);
});

it("copies a link to the time on screen unless one that keeps moving is chosen", async () => {
  const copied: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  chooseZone("utc");
  const fixedRange = {
    kind: "between",
    fromMs: Date.parse("2025-11-20T10:00:00Z"),
    toMs: Date.parse("2025-11-20T11:00:00Z"),
  } as const;
  await open(true, { fixed, moving: { href: `${page}?range=1h`, span: "1h", fixedRange } });
  expect(screen.getByText("Shows Nov 20, 2025, 10:00 – 11:00 UTC, whenever it is opened.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Copy link" }));
  await screen.findByRole("button", { name: "Copied" });
  fireEvent.click(screen.getByRole("button", { name: "Always the last hour" }));
  expect(screen.getByText("Shows the last hour before it is opened.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Cop/ }));
  await vi.waitFor(() => expect(copied).toEqual([fixed, `${page}?range=1h`]));
});

it("offers no choice for a page whose time does not move", async () => {
  await open();
  expect(screen.queryByRole("group", { name: "Time of the link" })).toBeNull();
});
