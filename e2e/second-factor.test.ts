import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { invite } from "./harness/account.ts";
import { accessibilityViolations, addAuthenticator, visit } from "./harness/browser.ts";
import { storedSession } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

/** The six digits that an authenticator app shows (RFC 6238). */
async function currentCode(secret: string, stepsAhead = 0): Promise<string> {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const step = Math.floor(Date.now() / 30_000) + stepsAhead;
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const offset = mac.getUint8(19) & 0xf;
  return String((mac.getUint32(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

async function enterPassword(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

test("an authenticator app is set up, and the next sign-in needs its code or a recovery code", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  const person = { email: account.registered.user.email, password: account.password };
  await visit(page, "/settings?tab=account");
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("img", { name: "QR code of the key" }).waitFor();
  const secret = (await dialog.getByTestId("totp-secret").textContent()) ?? "";
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByLabel("Code", { exact: true }).fill(await currentCode(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("This is the only time the codes are shown.").waitFor();
  const codes = await dialog.getByTestId("recovery-code").allTextContents();
  expect(codes).toHaveLength(10);
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "I've Saved the Codes" }).click();
  await page.getByText("10 left").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(errors).toEqual([]);

  const { page: visitor } = await flamekeep.open();
  await visit(visitor, "/login");
  await enterPassword(visitor, person);
  const code = visitor.getByLabel("Code");
  await code.waitFor();
  expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
  expect(await visitor.evaluate(() => localStorage.getItem("flamekeep.access_token"))).toBeNull();
  expect(await accessibilityViolations(visitor)).toEqual([]);
  await code.fill(await currentCode(secret, 1));
  await visitor.getByRole("button", { name: "Continue" }).click();
  await visitor.waitForURL("**/dashboard");

  const { page: other } = await flamekeep.open();
  await visit(other, "/login");
  await enterPassword(other, person);
  await other.getByRole("button", { name: "Use a recovery code" }).click();
  await other.getByLabel("Recovery code").fill("ABCDEF-GHIJKL-MNOPQR-STUVWX");
  await other.getByRole("button", { name: "Continue" }).click();
  await other.getByRole("alert").getByText("This code is not correct").waitFor();
  await other.getByLabel("Recovery code").fill(codes[0] ?? "");
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL("**/dashboard");
});

test("a passkey is added, signs in without the password and in addition to it, and is removed", async () => {
  const { account } = await flamekeep.openSignedIn();
  const person = { email: account.registered.user.email, password: account.password };
  // Passkeys are bound to the host of PUBLIC_URL, which is localhost.
  const base = flamekeep.url.replace("127.0.0.1", "localhost");
  const { page, errors } = await flamekeep.open();
  await page.goto(`${base}/login`);
  await page.evaluate(
    (stored) => {
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
    },
    storedSession(await account.session()),
  );
  await addAuthenticator(page);

  await page.goto(`${base}/settings?tab=account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add the passkey" }).click();
  await dialog.getByRole("alert").getByText("Enter a name for the passkey").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByLabel("Name").fill("Laptop <b>of Grace</b>");
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Add the passkey" }).click();
  await dialog.getByRole("button", { name: "I've Saved the Codes" }).click();
  await page.getByText("Laptop <b>of Grace</b>").waitFor();
  await page.getByRole("button", { name: "Rename the passkey Laptop <b>of Grace</b>" }).click();
  await dialog.getByLabel("Name").fill("Key <i>of Grace</i>");
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByText("Key <i>of Grace</i>", { exact: true }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  const signOut = async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${base}/login`);
  };
  await signOut();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/dashboard");
  await signOut();
  await enterPassword(page, person);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await page.waitForURL("**/dashboard");

  await page.goto(`${base}/settings?tab=account`);
  await page.getByRole("button", { name: "Remove the passkey Key <i>of Grace</i>" }).click();
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Remove the passkey" }).click();
  await page.getByText("Passkey, added").waitFor({ state: "detached" });
  await signOut();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").getByText("The passkey was rejected.").waitFor();
  await enterPassword(page, person);
  await page.waitForURL("**/dashboard");
  expect(errors.filter((line) => !line.includes("401"))).toEqual([]);
});

/** Sets an app up on a page with the second factors, and keeps the codes. */
async function setUpApp(page: Page, password: string): Promise<void> {
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const secret = (await dialog.getByTestId("totp-secret").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(await currentCode(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByRole("button", { name: "I've Saved the Codes" }).click();
}

test("an admin requires a second factor, and a member sets one up before anything else", async () => {
  const admin = await flamekeep.openSignedIn();
  const { page: adminPage } = admin;
  const link = await invite(adminPage);
  const { page, account, errors } = await flamekeep.openSignedIn();
  await visit(page, link);
  await page.getByRole("button", { name: /^Join/ }).click();
  await page.waitForURL("**/dashboard");

  await visit(adminPage, "/settings?tab=organization");
  await adminPage.getByRole("button", { name: "Require a second factor" }).click();
  await adminPage.getByText("Set up your own second factor first").waitFor();
  await visit(adminPage, "/settings?tab=account");
  await setUpApp(adminPage, admin.account.password);
  await visit(adminPage, "/settings?tab=organization");
  await adminPage.getByRole("button", { name: "Require a second factor" }).click();
  await adminPage.getByText("1 member without one.").waitFor();
  expect(await accessibilityViolations(adminPage)).toEqual([]);

  await visit(page, "/profiles?view=profiles");
  await page.waitForURL("**/second-factor");
  await page.getByRole("button", { name: "Set up an app" }).waitFor();
  await page.getByRole("button", { name: /^Switch to/ }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await setUpApp(page, account.password);
  await page.getByRole("button", { name: /^Continue to/ }).click();
  await page.waitForURL("**/profiles?view=profiles");
  await page.getByRole("heading", { name: "All Profiles" }).waitFor();
  // Refused calls are what led to the page.
  expect(errors.filter((line) => !line.includes("403"))).toEqual([]);
});
