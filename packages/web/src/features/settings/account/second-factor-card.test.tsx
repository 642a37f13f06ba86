// @vitest-environment happy-dom
import {
  confirmTotp,
  getSecondFactors,
  removeTotp,
  replaceRecoveryCodes,
  startTotp,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { generate } from "lean-qr";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { pathOf } from "./setup-dialog.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const uri = `otpauth://totp/Flamekeep:ada%40example.com?secret=${secret}&issuer=Flamekeep`;
const none = { totp_since: null, passkeys: [], recovery_codes_left: 0, can_add_passkeys: true };
const app = { ...none, totp_since: "2026-11-20T10:00:00.000Z", recovery_codes_left: 9 };

function enterPassword(action: string): void {
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getByRole("button", { name: action }));
}

it("sets an app up with the password and its first code, and shows the recovery codes once", async () => {
  const server = new FakeServer();
  server.on(getSecondFactors, () => replyWith(getSecondFactors, none));
  server.on(startTotp, () => failWith("invalid", "The current password is not correct"));
  renderWithQueries(<SecondFactorCard email="ada@example.com" />);
  fireEvent.click(await screen.findByRole("button", { name: "Set up an app" }));
  fireEvent.click(await screen.findByRole("button", { name: "Continue" }));
  await screen.findByRole("link", { name: "Enter your password" });
  enterPassword("Continue");
  await screen.findByText("The current password is not correct");
  server.on(startTotp, () => replyWith(startTotp, { secret, uri }));
  enterPassword("Continue");

  const image = await screen.findByRole("img", { name: "QR code of the key" });
  expect(image.querySelector("path")?.getAttribute("d")).toBe(pathOf(generate(uri)));
  expect(image.querySelector("rect")?.getAttribute("fill")).toBe("white");
  expect(screen.getByTestId("totp-secret").textContent).toBe(secret);
  expect(screen.getByLabelText("Code").getAttribute("autocomplete")).toBe("one-time-code");
  server.on(confirmTotp, () =>
    replyWith(confirmTotp, { recovery_codes: ["ABCDEF-GHIJKL", "MNOPQR-STUVWX"] }),
  );
  server.on(getSecondFactors, () => replyWith(getSecondFactors, app));
  fireEvent.change(screen.getByLabelText("Code"), { target: { value: "123456" } });
  fireEvent.click(screen.getByRole("button", { name: "Turn on" }));
  await screen.findByText("ABCDEF-GHIJKL");
  fireEvent.click(screen.getByRole("button", { name: "I've Saved the Codes" }));
  expect(screen.queryByText("ABCDEF-GHIJKL")).toBeNull();
  await screen.findByText("9 left");
  expect(server.callsOf(confirmTotp).map(({ body }) => body)).toEqual([{ code: "123456" }]);
});

it("removes the app and replaces the codes with the password", async () => {
  const server = new FakeServer();
  server.on(getSecondFactors, () => replyWith(getSecondFactors, app));
  server.on(replaceRecoveryCodes, () => replyWith(replaceRecoveryCodes, { recovery_codes: ["NEWONE"] }));
  server.on(removeTotp, () => replyWith(removeTotp, none));
  renderWithQueries(<SecondFactorCard email="ada@example.com" />);
  fireEvent.click(await screen.findByRole("button", { name: "Replace the codes" }));
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getAllByRole("button", { name: "Replace the codes" }).at(-1) as HTMLElement);
  await screen.findByText("NEWONE");
  fireEvent.click(screen.getByRole("button", { name: "I've Saved the Codes" }));
  server.on(getSecondFactors, () => replyWith(getSecondFactors, none));
  fireEvent.click(screen.getByRole("button", { name: "Remove the app" }));
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getAllByRole("button", { name: "Remove the app" }).at(-1) as HTMLElement);
  await screen.findByRole("button", { name: "Set up an app" });
  for (const call of [replaceRecoveryCodes, removeTotp]) {
    expect(server.callsOf(call).map(({ body }) => body)).toEqual([{ password: "correct horse" }]);
  }
});

it("draws a run of dark modules as one bar", () => {
  const rows = ["##.#", "....", ".###", "#..."];
  const code = { size: 4, get: (x: number, y: number) => rows[y]?.[x] === "#" };
  expect(pathOf(code)).toBe("M0 0h2v1H0zM3 0h1v1H3zM1 2h3v1H1zM0 3h1v1H0z");
});
