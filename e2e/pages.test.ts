import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { register, somebody } from "./harness/account.ts";
import { accessibilityViolations, openBrowser, openPage, takeScreenshots, visit } from "./harness/browser.ts";
import { type Flamekeep, startFlamekeep } from "./harness/start-flamekeep.ts";

let flamekeep: Flamekeep;
let browser: Browser;

beforeAll(async () => {
  [flamekeep, browser] = await Promise.all([startFlamekeep({ env: { DEMO: "off" } }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await flamekeep?.[Symbol.asyncDispose]();
});

const open = ["/", "/login", "/register", "/forgot-password"];
const signedIn = ["/dashboard", "/profiles", "/alerts", "/projects", "/settings", "/settings?tab=account"];

const nameOf = (path: string) => path.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "landing";

describe("every page of an empty organization is sound: no errors, no accessibility violations", () => {
  test.each(open)("%s", async (path) => {
    const { page, complaints } = await openPage(browser, flamekeep.url);
    await visit(page, path);
    await takeScreenshots(page, nameOf(path));
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("all that need a session", async () => {
    const { page, complaints } = await openPage(browser, flamekeep.url);
    await register(page, somebody());
    for (const path of signedIn) {
      await visit(page, path);
      expect(new URL(page.url()).pathname, path).toBe(path.split("?")[0]);
      await takeScreenshots(page, nameOf(path));
      expect(await accessibilityViolations(page), path).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a page that needs a session leads to the sign-in page without one", async () => {
    const { page } = await openPage(browser, flamekeep.url);
    await page.goto("/profiles");
    await page.waitForURL((url) => url.pathname === "/login");
    await page.context().close();
  });
});
