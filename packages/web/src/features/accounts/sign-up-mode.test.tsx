// @vitest-environment happy-dom
import { publicConfig } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, screen } from "@testing-library/react";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ForgotPasswordPage } from "./forgot-password-page.tsx";
import { LoginPage } from "./login-page.tsx";
import { RegisterPage } from "./register-page.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

function show(component: () => React.ReactNode, sign_up: "open" | "invite"): void {
  const config = { demo: false, mail: true, sign_up, single_sign_on: null, open_files: null };
  new FakeServer().on(publicConfig, () => replyWith(publicConfig, config));
  const routeTree = createRootRoute({ component });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  renderWithQueries(<RouterProvider router={router as never} />);
}

const byInvitation = "Registration is by invitation only. Ask an admin of your organization to invite you.";

describe.each([
  ["sign in", LoginPage, "Sign up"],
  ["ask for a new password", ForgotPasswordPage, "Create an account"],
])("the page to %s", (_, component, link) => {
  it("leads to the registration where it is open", async () => {
    show(component, "open");
    expect((await screen.findByRole("link", { name: link })).getAttribute("href")).toBe("/register");
    expect(screen.queryByText(byInvitation)).toBeNull();
  });

  it("says that registration is by invitation where it is closed", async () => {
    show(component, "invite");
    await screen.findByText(byInvitation);
    expect(screen.queryByRole("link", { name: link })).toBeNull();
  });
});

it("the page to register shows no form where registration is closed", async () => {
  show(RegisterPage, "invite");
  await screen.findByText(byInvitation);
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.getByRole("link", { name: "Sign in" })).toBeDefined();
});
