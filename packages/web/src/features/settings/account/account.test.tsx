// @vitest-environment happy-dom
import { changePassword } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { PasswordCard } from "./account.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const labels = ["Current password", "New password", "Confirm new password"];

it("names the first broken rule and focuses its field, then sends the passwords", async () => {
  const server = new FakeServer();
  server.on(changePassword, () => replyWith(changePassword, { message: "Changed." }));
  renderWithQueries(<PasswordCard email="ada@example.com" />);
  const send = (...values: string[]) => {
    labels.forEach((label, at) => {
      fireEvent.change(screen.getByLabelText(label), { target: { value: values[at] } });
    });
    fireEvent.click(screen.getByRole("button", { name: "Change password" }));
  };
  const steps = [
    ["", "", "", "Enter your current password", "current_password"],
    ["old one", "", "", "Both password fields are required", "new_password"],
    ["old one", "long enough", "", "Both password fields are required", "confirm_password"],
    ["old one", "long enough", "different", "Passwords do not match", "confirm_password"],
    ["old one", "short", "short", "Password must be at least 8 characters long", "new_password"],
  ] as const;
  for (const [current, next, confirmation, text, field] of steps) {
    send(current, next, confirmation);
    expect(screen.getByRole("alert").textContent).toBe(text);
    expect(document.activeElement?.getAttribute("name")).toBe(field);
  }
  send("old one", "long enough", "long enough");
  await expect
    .poll(() => server.callsOf(changePassword).map(({ body }) => body))
    .toEqual([{ current_password: "old one", new_password: "long enough" }]);
});
