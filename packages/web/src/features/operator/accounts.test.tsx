// @vitest-environment happy-dom
import {
  createResetLink,
  findAccount,
  type OperatedAccount,
  removeSecondFactors,
  setAccountActive,
  transferOperatorRole,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { currentSession, storeSession } from "#session/session.ts";
import { demoUser } from "#session/session-user.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { tokenEndingIn } from "#testing/tokens.ts";
import { Accounts } from "./accounts.tsx";

const account: OperatedAccount = {
  id: "9b2f6a4e-5f0c-4a6e-9d0a-0f0b6f1f2a11",
  email: "zoe@example.com",
  is_active: true,
  is_operator: false,
  has_second_factor: true,
  created_at: "2026-11-20T10:00:00.000Z",
  last_login_at: null,
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  server.on(findAccount, () => replyWith(findAccount, { account }));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => vi.unstubAllGlobals());

async function find(): Promise<void> {
  renderWithQueries(<Accounts />);
  fireEvent.change(await screen.findByLabelText("Email address"), { target: { value: account.email } });
  fireEvent.click(screen.getByRole("button", { name: "Find" }));
}

it("disables an account after a question, and enables it again", async () => {
  server.on(setAccountActive, ({ body }) =>
    replyWith(setAccountActive, { account: { ...account, ...(body as { is_active: boolean }) } }),
  );
  await find();
  fireEvent.click(await screen.findByRole("button", { name: "Disable" }));
  await screen.findByText("Disable zoe@example.com?");
  fireEvent.click(screen.getAllByRole("button", { name: "Disable" }).at(-1)!);
  fireEvent.click(await screen.findByRole("button", { name: "Enable" }));
  await screen.findByText("Active");
  expect(server.callsOf(setAccountActive).map(({ body }) => body)).toEqual([
    { is_active: false },
    { is_active: true },
  ]);
});

it("shows a reset link to hand over", async () => {
  const url = "https://flamekeep.example.com/reset-password?token=abc";
  server.on(createResetLink, () =>
    replyWith(createResetLink, { url, expires_at: "2026-11-20T10:30:00.000Z" }),
  );
  await find();
  fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: "my password" } });
  fireEvent.click(screen.getByRole("button", { name: "Create Reset Link" }));
  await screen.findByText(url);
  expect(server.callsOf(createResetLink).map(({ body }) => body)).toEqual([{ password: "my password" }]);
});

it("removes the second factors of somebody who lost them", async () => {
  server.on(removeSecondFactors, () =>
    replyWith(removeSecondFactors, { account: { ...account, has_second_factor: false } }),
  );
  await find();
  const remove = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove Second Factors" });
  expect(remove.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText("Your password"), { target: { value: "my password" } });
  fireEvent.click(remove);
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Remove Second Factors" })).toBeNull());
  expect(server.callsOf(removeSecondFactors).map(({ body }) => body)).toEqual([{ password: "my password" }]);
});

it("makes another account the operator, and forgets that the person was it", async () => {
  storeSession({
    user: {
      ...demoUser,
      id: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21",
      is_operator: true,
      is_active: true,
      created_at: "2026-11-20T10:00:00.000Z",
      last_login_at: null,
      organization: { id: "00000000-0000-4000-8000-0000000000aa", name: "Shop" },
    },
    tokens: { access_token: tokenEndingIn(900), refresh_token: "refresh" },
  });
  server.on(transferOperatorRole, () =>
    replyWith(transferOperatorRole, { account: { ...account, is_operator: true } }),
  );
  await find();
  fireEvent.click(await screen.findByRole("button", { name: "Make Operator" }));
  await screen.findByText("Make zoe@example.com the operator?");
  const make = screen.getAllByRole<HTMLButtonElement>("button", { name: "Make Operator" }).at(-1)!;
  expect(make.disabled).toBe(true);
  const password = screen.getAllByLabelText<HTMLInputElement>("Your password").at(-1)!;
  fireEvent.change(password, { target: { value: "my password" } });
  expect(make.disabled).toBe(false);
  // Enter in the field.
  fireEvent.submit(password.form!);
  await vi.waitFor(() => expect(currentSession()).toMatchObject({ user: { is_operator: false } }));
  expect(server.callsOf(transferOperatorRole).map(({ body }) => body)).toEqual([{ password: "my password" }]);
});

it("says that there is no such account", async () => {
  server.on(findAccount, () => failWith("not_found", "No account has this email address."));
  await find();
  expect((await screen.findByRole("alert")).textContent).toBe("No account has this email address.");
});
