// @vitest-environment happy-dom
import { createSharedLink, listSharedLinks, type SharedLink } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
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

function open(isAllowed = true) {
  server.on(listSharedLinks, () => replyWith(listSharedLinks, { is_allowed: isAllowed, shared_links: [] }));
  const component = () => <ShareDialog shared={shared} onClose={() => {}} />;
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
