// @vitest-environment happy-dom
import { refreshToken, resetPassword, userProfile } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { currentSession, enterDemo, startSession } from "#session/session.ts";
import { demoUser } from "#session/session-user.ts";
import { signIn } from "#session/sign-in.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { tokenEndingIn } from "#testing/tokens.ts";
import { ResetPasswordPage } from "./reset-password-page.tsx";

const user = {
  ...demoUser,
  id: "00000000-0000-4000-8000-0000000000ad",
  is_active: true,
  created_at: "2026-11-20T10:00:00.000Z",
  last_login_at: null,
  organization: { id: "00000000-0000-4000-8000-0000000000aa", name: "Shop" },
};

let server: FakeServer;
beforeAll(async () => {
  // As over plain HTTP; happy-dom has null.
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  await startSession();
});
beforeEach(() => {
  server = new FakeServer();
  server.on(resetPassword, () => replyWith(resetPassword, { message: "Your password has been changed." }));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

async function reset(): Promise<void> {
  const history = createMemoryHistory();
  history.replace("/", { mailToken: "token" } as never);
  const router = createRouter({ routeTree: createRootRoute({ component: ResetPasswordPage }), history });
  renderWithQueries(<RouterProvider router={router as never} />);
  for (const label of ["New password", "Confirm new password"]) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value: "correct horse" } });
  }
  fireEvent.click(screen.getByRole("button", { name: "Reset Password" }));
  await screen.findByText("Your password has been changed.");
}

const signInHere = () =>
  signIn({ user, tokens: { access_token: tokenEndingIn(900), refresh_token: "refresh" } });

it("signs this browser out if its session was one of those that the reset ended", async () => {
  signInHere();
  const ended = () => failWith("unauthenticated", "The session has ended.");
  server.on(userProfile, ended);
  server.on(refreshToken, ended);
  await reset();
  expect(currentSession().status).toBe("anonymous");
});

it("leaves the session of another account alone", async () => {
  signInHere();
  server.on(userProfile, () => replyWith(userProfile, { user }));
  await reset();
  expect(server.callsOf(userProfile)).toHaveLength(1);
  expect(currentSession()).toMatchObject({ status: "authenticated", user: { id: user.id } });
});

it("leaves the session alone where the server cannot be asked", async () => {
  signInHere();
  await reset();
  expect(currentSession().status).toBe("authenticated");
});

it("leaves a visitor of the demo in it", async () => {
  enterDemo();
  await reset();
  expect(currentSession()).toMatchObject({ status: "authenticated", isDemo: true });
});
