import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { fillRegistration, newPerson } from "./harness/account.ts";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
const newPassword = "a new staple for the battery";

/** The path of the link in the newest mail to the address. The server writes mail into its outbox. */
async function linkTo(email: string): Promise<string> {
  const outbox = `${inject("flamekeepDataDir")}/outbox`;
  let link: string | undefined;
  await expect
    .poll(
      () => {
        const mails = readdirSync(outbox).map((name) => readFileSync(`${outbox}/${name}`, "utf8"));
        const mail = mails.find((text) => text.includes(`To: ${email}`) && text.includes("reset-password"));
        link = /\/reset-password\?token=\S+/.exec(mail ?? "")?.[0];
        return link;
      },
      { timeout: 30_000 },
    )
    .toBeDefined();
  return link as string;
}

function focusedField(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute("name"));
}

test("a forgotten password is replaced by a link, and the old one no longer works", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  const other = await flamekeep.open();
  const { page: visitor } = other;
  await visit(visitor, "/login");
  await visitor.getByRole("link", { name: "Forgot password?" }).click();
  await visitor.waitForURL("**/forgot-password");

  await visitor.getByRole("button", { name: "Send Reset Link" }).click();
  await visitor.getByRole("alert").getByText("Please enter your email address").waitFor();
  expect(await focusedField(visitor)).toBe("email");
  await visitor.getByLabel("Email").fill("ada");
  await visitor.getByRole("button", { name: "Send Reset Link" }).click();
  await visitor.getByRole("alert").getByText("Please enter a valid email address").waitFor();
  expect(await accessibilityViolations(visitor)).toEqual([]);
  await visitor.getByLabel("Email").fill(account.registered.user.email);
  await visitor.getByRole("button", { name: "Send Reset Link" }).click();
  await visitor.getByRole("status").getByText("If an account has this address").waitFor();
  expect(await accessibilityViolations(visitor)).toEqual([]);

  await visitor.goto(await linkTo(account.registered.user.email));
  await visitor.waitForURL((url) => url.pathname === "/reset-password" && url.search === "");
  await visitor.reload();
  const submit = visitor.getByRole("button", { name: "Reset Password" });
  const steps = [
    ["", "", "Both password fields are required", "new_password"],
    ["long enough", "different", "Passwords do not match", "confirm_password"],
    ["short", "short", "Password must be at least 8 characters long", "new_password"],
  ] as const;
  for (const [password, confirmation, message, field] of steps) {
    await visitor.getByLabel("New password", { exact: true }).fill(password);
    await visitor.getByLabel("Confirm new password").fill(confirmation);
    await submit.click();
    await visitor.getByRole("alert").getByText(message).waitFor();
    expect([message, await focusedField(visitor)]).toEqual([message, field]);
  }
  expect(await accessibilityViolations(visitor)).toEqual([]);
  await visitor.getByLabel("New password", { exact: true }).fill("password1");
  await visitor.getByLabel("Confirm new password").fill("password1");
  await submit.click();
  await visitor.getByRole("alert").getByText("on lists of common passwords").waitFor();
  await visitor.getByLabel("New password", { exact: true }).fill(newPassword);
  await visitor.getByLabel("Confirm new password").fill(newPassword);
  await submit.click();
  await visitor.getByRole("status").getByText("Your password has been changed").waitFor();
  expect(await accessibilityViolations(visitor)).toEqual([]);
  await visitor.waitForURL("**/login", { timeout: 10_000 });

  // The session that was open elsewhere has ended.
  await page.goto("/settings");
  await page.waitForURL("**/login**");
  expect(errors.filter((line) => !line.includes("401"))).toEqual([]);

  await visitor.getByLabel("Email").fill(account.registered.user.email);
  await visitor.getByLabel("Password").fill(newPassword);
  await visitor.getByRole("button", { name: "Sign In" }).click();
  await visitor.waitForURL("**/dashboard");
  expect(other.errors.filter((line) => !line.includes("400"))).toEqual([]);
});

test("a reset in the browser of somebody else offers to sign out before the sign-in page", async () => {
  const owner = await flamekeep.openSignedIn();
  const { page, account: reader } = await flamekeep.openSignedIn();
  const { email } = owner.account.registered.user;
  await fetch(`${flamekeep.url}/auth/forgot-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });
  await visit(page, await linkTo(email));
  await page.getByLabel("New password", { exact: true }).fill(newPassword);
  await page.getByLabel("Confirm new password").fill(newPassword);
  await page.getByRole("button", { name: "Reset Password" }).click();
  await page.getByText(`This browser is signed in as ${reader.registered.user.email}.`).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out and sign in" }).click();
  await page.waitForURL("**/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(newPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/dashboard");
});

test("a reset page without a usable token says so and offers a new link", async () => {
  const { page } = await flamekeep.open();
  const missing = "Invalid or missing reset token. Please request a new password reset.";
  for (const path of ["/reset-password", "/reset-password?token=<script>alert(1)</script>"]) {
    await visit(page, path);
    await page.getByRole("alert").getByText(missing).waitFor();
  }
  await visit(page, `/reset-password?token=${"A".repeat(43)}`);
  await page.getByLabel("New password", { exact: true }).fill(newPassword);
  await page.getByLabel("Confirm new password").fill(newPassword);
  await page.getByRole("button", { name: "Reset Password" }).click();
  await page.getByRole("alert").getByText(missing).waitFor();
  await page.getByRole("link", { name: "Request a new link" }).click();
  await page.waitForURL("**/forgot-password");
});

test("forms focus the first field to change, link the summary to it, and tell password managers what each is", async () => {
  const { page } = await flamekeep.open();
  await visit(page, "/register");
  await fillRegistration(page, { ...newPerson(), lastName: "" });
  await page.getByRole("alert").getByText("All fields are required").waitFor();
  expect(await focusedField(page)).toBe("last_name");
  const field = page.getByLabel("Last name");
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  const described = await field.getAttribute("aria-describedby");
  expect(await page.getByRole("alert").getAttribute("id")).toBe(described);
  await page.getByLabel("Email").focus();
  await page.getByRole("link", { name: "All fields are required" }).click();
  expect(await focusedField(page)).toBe("last_name");
  const fields = await page
    .locator("form input")
    .evaluateAll((inputs) =>
      (inputs as HTMLInputElement[]).map(({ name, autocomplete }) => [name, autocomplete]),
    );
  expect(fields).toEqual([
    ["first_name", "given-name"],
    ["last_name", "family-name"],
    ["email", "username"],
    ["password", "new-password"],
    ["confirm_password", "new-password"],
  ]);
});
