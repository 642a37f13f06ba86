import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  accessibilityViolations,
  narrow,
  openBrowser,
  openPage,
  visit,
  type WatchedPage,
} from "./harness/browser.ts";
import { seedCheckout } from "./harness/seed.ts";
import { type Flamekeep, startFlamekeep } from "./harness/start-flamekeep.ts";

let flamekeep: Flamekeep;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [flamekeep, browser] = await Promise.all([startFlamekeep({ env: { DEMO: "off" } }), openBrowser()]);
  watched = await openPage(browser, flamekeep.url);
  page = watched.page;
  await seedCheckout(page, flamekeep.url);
});
afterAll(async () => {
  await browser?.close();
  await flamekeep?.[Symbol.asyncDispose]();
});

/** A button or a key that opens it. */
type Opener = { readonly button: string | RegExp } | { readonly key: string };

/** Each dialog that opens over a page: where, by what, and its name. A line for each. */
const dialogs: readonly (readonly [path: string, opener: Opener, name: string])[] = [
  ["/dashboard", { button: /^Time range/ }, "Time range"],
  ["/dashboard", { key: "Control+k" }, "Command palette"],
  ["/dashboard", { key: "?" }, "Keyboard and pointer"],
  ["/dashboard", { button: "Notifications" }, "Open alerts"],
  ["/projects", { button: "New Project" }, "New Project"],
  ["/projects", { button: "Edit checkout" }, "Edit Project"],
  ["/projects", { button: "Delete checkout" }, "Delete checkout?"],
  ["/projects/checkout", { button: "/cart" }, "/cart"],
  ["/settings", { button: "Create API Key" }, "Create API Key"],
  ["/settings", { button: "Revoke seed" }, "Revoke seed?"],
  ["/settings?tab=alerts", { button: "Set up the webhook" }, "Send alerts to a webhook"],
  ["/settings?tab=alerts", { button: "Set up Slack" }, "Send alerts to Slack"],
  ["/settings?tab=alerts", { button: "Set up e-mail" }, "Send alerts by e-mail"],
  ["/settings?tab=alerts", { button: "Mute alerts" }, "Mute alerts"],
  ["/settings?tab=data", { button: "Delete checkout" }, "Delete checkout?"],
];

/** Descriptions of the pages, which are tooltips on wide screens. */
const descriptions = [
  ...["Overview and analytics", "View all performance profiles", "Performance alerts", "Manage projects"],
  "Application settings",
];

describe("a dialog has no accessibility violations, light and dark, and Escape closes it", () => {
  test.each(dialogs)("%s: %j opens %s", async (path, opener, name) => {
    await visit(page, path);
    if ("key" in opener) {
      await page.getByRole("main").waitFor();
      await page.keyboard.press(opener.key);
    } else await page.getByRole("button", { name: opener.button }).first().click();
    const dialog = page.getByRole("dialog", { name, exact: true });
    await dialog.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("the navigation of a phone", async () => {
    await page.setViewportSize(narrow);
    await visit(page, "/dashboard");
    await page.getByRole("button", { name: "Open navigation" }).click();
    const sheet = page.getByRole("dialog", { name: "Navigation" });
    await sheet.waitFor();
    for (const text of descriptions) await sheet.getByText(text, { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });

  test("and nothing was logged as an error", () => expect(watched.errors).toEqual([]));
});
