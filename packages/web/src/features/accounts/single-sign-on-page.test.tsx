// @vitest-environment happy-dom
import { finishIdentityLink, finishSingleSignOn, logout } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readStored, storageKeys } from "#preferences/storage.ts";
import { rememberReturn } from "#session/return-path.ts";
import { currentSession } from "#session/session.ts";
import { demoUser } from "#session/session-user.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { tokenEndingIn } from "#testing/tokens.ts";
import { SingleSignOnPage } from "./single-sign-on-page.tsx";

let server: FakeServer;

beforeEach(() => {
  server = new FakeServer();
  server.on(logout, () => replyWith(logout, { message: "Signed out" }));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

function show(): void {
  const routeTree = createRootRoute({ component: SingleSignOnPage });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  renderWithQueries(<RouterProvider router={router as never} />);
}

describe("a failed return from the provider", () => {
  it("leads back to the sign-in", async () => {
    rememberReturn({ path: undefined });
    show();
    await screen.findByText("Failed to sign in. Please try again.");
    screen.getByRole("heading", { name: "Signing in" });
    expect(screen.getByRole("link", { name: "Back to sign in" }).getAttribute("href")).toBe("/login");
  });

  it("leads back to the settings if the person links an account", async () => {
    signInAs("member");
    rememberReturn({ path: "/settings?tab=account", isLink: true });
    show();
    await screen.findByText("Failed to link the account. Please try again.");
    screen.getByRole("heading", { name: "Linking your account" });
    const back = screen.getByRole("link", { name: "Back to settings" });
    expect(back.getAttribute("href")).toBe("/settings?tab=account");
    expect(screen.queryByText(/sign in/i)).toBeNull();
  });

  it("says why, in the words of the server", async () => {
    signInAs("member");
    server.on(finishIdentityLink, () => failWith("conflict", "That account is already linked."));
    rememberReturn({ path: "/settings?tab=account", isLink: true });
    show();
    await screen.findByText("That account is already linked.");
  });
});

it("a sign-in at the provider ends the session that the browser had", async () => {
  signInAs("member");
  const formerToken = readStored(storageKeys.accessToken);
  const user = {
    ...demoUser,
    id: "00000000-0000-4000-8000-00000000006a",
    is_active: true,
    created_at: "2026-11-20T10:00:00.000Z",
    last_login_at: null,
  };
  const tokens = { access_token: tokenEndingIn(900, "new", "grace"), refresh_token: "new" };
  server.on(finishSingleSignOn, () => replyWith(finishSingleSignOn, { user, tokens }));
  rememberReturn({ path: undefined });
  show();
  await expect.poll(() => server.callsOf(logout).map(({ token }) => token)).toEqual([formerToken]);
  expect(currentSession()).toMatchObject({ status: "authenticated", user: { id: user.id } });
  expect(readStored(storageKeys.refreshToken)).toBe("new");
});
