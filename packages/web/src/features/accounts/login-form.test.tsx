// @vitest-environment happy-dom
import { finishLogin, login } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { currentSession, startSession } from "#session/session.ts";
import { demoUser } from "#session/session-user.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { tokenEndingIn } from "#testing/tokens.ts";
import { LoginForm } from "./login-form.tsx";

const user = {
  ...demoUser,
  id: "00000000-0000-4000-8000-0000000000ad",
  is_active: true,
  created_at: "2026-11-20T10:00:00.000Z",
  last_login_at: null,
  organization: { id: "00000000-0000-4000-8000-0000000000aa", name: "Shop" },
};
const second_factor = {
  token: "waiting",
  methods: ["totp" as const, "recovery_code" as const],
  expires_at: "2026-11-20T10:05:00.000Z",
};

afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

it("asks for the code of an account with a second factor, and signs in with it", async () => {
  await startSession();
  const server = new FakeServer();
  server.on(login, () => replyWith(login, { second_factor }));
  server.on(finishLogin, () => failWith("unauthenticated", "This code is not correct."));
  const onSignedIn = vi.fn(async () => {});
  renderWithQueries(
    <LoginForm onSignedIn={onSignedIn} invited={{ token: "invited", email: null }}>
      <p>Below</p>
    </LoginForm>,
  );
  screen.getByText("Below");
  fireEvent.change(screen.getByLabelText("Email"), { target: { value: "ada@example.com" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign In" }));

  const code = await screen.findByLabelText("Code");
  expect(code.getAttribute("autocomplete")).toBe("one-time-code");
  expect(document.activeElement).toBe(code);
  expect(screen.queryByText("Below")).toBeNull();
  expect(currentSession().status).toBe("anonymous");
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("Enter the code");
  fireEvent.change(code, { target: { value: " 123456 " } });
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByText("This code is not correct.");

  fireEvent.click(screen.getByRole("button", { name: "Use a recovery code" }));
  const tokens = { access_token: tokenEndingIn(900), refresh_token: "refresh" };
  server.on(finishLogin, () => replyWith(finishLogin, { user, tokens }));
  fireEvent.change(screen.getByLabelText("Recovery code"), { target: { value: "ABCDEF" } });
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  await expect.poll(() => onSignedIn.mock.calls.length).toBe(1);
  expect(server.callsOf(finishLogin).map(({ body }) => body)).toEqual([
    { token: "waiting", code: "123456", invitation: "invited" },
    { token: "waiting", code: "ABCDEF", invitation: "invited" },
  ]);
  expect(currentSession()).toMatchObject({ status: "authenticated", user: { id: user.id } });
});

it("goes back to email and password", async () => {
  const server = new FakeServer();
  server.on(login, () => replyWith(login, { second_factor }));
  renderWithQueries(<LoginForm onSignedIn={async () => {}} />);
  fireEvent.change(screen.getByLabelText("Email"), { target: { value: "ada@example.com" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign In" }));
  fireEvent.click(await screen.findByRole("button", { name: "Back to sign in" }));
  expect((screen.getByLabelText("Password") as HTMLInputElement).value).toBe("");
});
