import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { invite } from "./harness/account.ts";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import {
  type IdentityProvider,
  signInAtProvider,
  startIdentityProvider,
} from "./harness/identity-provider.ts";
import { freePort, startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

let provider: IdentityProvider;
afterAll(() => provider?.[Symbol.asyncDispose]());

const flamekeep = useOwnServer(async () => {
  const port = await freePort();
  provider = await startIdentityProvider(`http://127.0.0.1:${port}`);
  return startFlamekeep({ port, env: { ...provider.env, DEMO: "off" } });
});

/** The provider's own pages ask for a font of another site, which tests do not reach. */
function ownErrors(errors: readonly string[]): string[] {
  return errors.filter((line) => !line.startsWith("console: Failed to load resource"));
}

async function continueWithProvider(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue with Example Login" }).click();
}

test("a person signs in with the identity provider and gets to the page that was asked for", async () => {
  const { page, errors } = await flamekeep.open();
  await visit(page, "/login?return_to=%2Fsettings%3Ftab%3Daccount");
  await page.getByRole("button", { name: "Continue with Example Login" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await continueWithProvider(page);
  await signInAtProvider(page, "grace");
  await page.waitForURL("**/settings?tab=account");
  await page.getByText("grace@mapped.example").first().waitFor();
  expect(ownErrors(errors)).toEqual([]);
});

test("somebody who stops at the provider, or whose address it has not confirmed, reads what to do", async () => {
  const { page } = await flamekeep.open();
  await visit(page, "/login");
  await continueWithProvider(page);
  await page.getByRole("link", { name: /Cancel/ }).click();
  await page
    .getByRole("alert")
    .getByText("Example Login did not confirm this sign-in. Start again.")
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to sign in" }).click();
  await continueWithProvider(page);
  await signInAtProvider(page, "unconfirmed");
  await page.getByRole("alert").getByText("has not confirmed your email address").waitFor();
});

test("an invitation is accepted with the identity provider", async () => {
  const admin = await flamekeep.openSignedIn();
  const link = await invite(admin.page);
  const { page, errors } = await flamekeep.open();
  await visit(page, link);
  expect(await accessibilityViolations(page)).toEqual([]);
  await continueWithProvider(page);
  await signInAtProvider(page, "invited");
  await page.waitForURL("**/dashboard");
  await admin.page.reload();
  await admin.page.getByText("invited@mapped.example").waitFor();
  expect(ownErrors(errors)).toEqual([]);
});

test("an account at the identity provider is linked in the settings, signs in, and is unlinked", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  await visit(page, "/settings?tab=account");
  await page.getByText("No linked accounts.").waitFor();
  await page.getByRole("button", { name: "Link Example Login" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(account.password);
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await signInAtProvider(page, "linked");
  await page.waitForURL("**/settings?tab=account");
  await page.getByRole("list", { name: "Linked accounts" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  const { page: other } = await flamekeep.open();
  await visit(other, "/login?return_to=%2Fsettings%3Ftab%3Daccount");
  await continueWithProvider(other);
  await signInAtProvider(other, "linked");
  await other.waitForURL("**/settings?tab=account");
  await other.getByText(account.registered.user.email).first().waitFor();

  await page.getByRole("button", { name: /^Unlink/ }).click();
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Unlink" }).click();
  await page.getByText("No linked accounts.").waitFor();
  expect(ownErrors(errors)).toEqual([]);
});
