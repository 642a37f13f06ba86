import type { Browser, Page } from "playwright-core";
import { openPage, type PageOptions, visit, type WatchedPage } from "./browser.ts";
import { type Account, signUp, storedSession } from "./sign-up.ts";

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly password: string;
}

/** A new person for each test, because tests share a server. */
export function newPerson(): Person {
  return {
    firstName: "Ada",
    lastName: "Lovelace",
    email: `ada-${crypto.randomUUID()}@example.com`,
    password: crypto.randomUUID(),
  };
}

export interface SignedIn extends WatchedPage {
  readonly account: Account;
}

/** A page of a new person in a new organization. It signs up without the forms, which only some tests are about. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<SignedIn> {
  const account = await signUp(url);
  const opened = await openPage(browser, url, { stored: storedSession(account.registered), ...options });
  return { ...opened, account };
}

/** Opens the registration form, fills it in and waits for the dashboard. */
export async function register(page: Page, person: Person): Promise<void> {
  await page.goto("/register");
  await fillRegistration(page, person);
  await page.waitForURL("**/dashboard");
}

export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await page.getByLabel("First name").fill(person.firstName);
  await page.getByLabel("Last name").fill(person.lastName);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByLabel("Confirm password").fill(person.password);
  await page.getByRole("button", { name: "Create Account" }).click();
}

/** Creates an API key in the settings and reads it from the dialog that shows it once. */
export async function createApiKey(page: Page, name: string): Promise<string> {
  await page.goto("/settings");
  await page.getByRole("button", { name: "Create API Key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create API Key" }).click();
  await page.getByRole("button", { name: "Show key" }).click();
  const key = (await page.getByTestId("api-key").textContent()) ?? "";
  await page.getByRole("button", { name: "I've Copied the Key" }).click();
  return key;
}

/** Creates an invitation in the settings; the path of its link. */
export async function invite(page: Page, role?: string): Promise<string> {
  await visit(page, "/settings?tab=members");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Invite to the organization" });
  if (role !== undefined) {
    await dialog.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: role }).click();
  }
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await page.getByTestId("invitation-link").textContent();
  await page.getByRole("button", { name: "Done" }).click();
  return new URL(link ?? "").pathname;
}
