// @vitest-environment happy-dom
import { forgotPassword, resetPassword } from "@flamekeep/contract";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { ForgotPasswordPage } from "./forgot-password-page.tsx";
import { ResetPasswordPage } from "./reset-password-page.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

function show(component: () => ReactNode, state: object = {}) {
  const history = createMemoryHistory();
  history.replace("/", state as never);
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  renderWithQueries(<RouterProvider router={router as never} />);
}

it("a reset mail that cannot be requested has the specified text", async () => {
  new FakeServer();
  show(ForgotPasswordPage);
  fireEvent.change(await screen.findByLabelText("Email"), { target: { value: "ada@example.com" } });
  fireEvent.click(screen.getByRole("button", { name: "Send Reset Link" }));
  await screen.findByText("Failed to send reset email. Please try again.");
});

it("a failed reset has the specified text, or that of the server", async () => {
  const server = new FakeServer();
  show(ResetPasswordPage, { mailToken: "token" });
  for (const label of ["New password", "Confirm new password"]) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value: "correct horse" } });
  }
  fireEvent.click(screen.getByRole("button", { name: "Reset Password" }));
  await screen.findByText("Failed to reset password. Please try again.");
  server.on(resetPassword, () => failWith("invalid", "Invalid or missing reset token."));
  fireEvent.click(screen.getByRole("button", { name: "Reset Password" }));
  await screen.findByText("Invalid or missing reset token.");
  expect(server.callsOf(resetPassword)[0]?.body).toEqual({ token: "token", new_password: "correct horse" });
  expect(server.callsOf(forgotPassword)).toEqual([]);
});
