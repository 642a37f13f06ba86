import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { invite } from "./harness/account.ts";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { recordedProfile } from "./harness/recordings.ts";
import { sendProfile, sendRequests } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const minuteMs = 60_000;

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  const { key } = opened.account;
  for (const [service, release] of [
    ["checkout", "after"],
    ["cart", "before"],
  ] as const) {
    const query = `service=${service}&type=cpu&started_at=${Date.now() - 10 * minuteMs}`;
    const profile = recordedProfile("checkout", "cpu", release);
    expect((await sendProfile(flamekeep.url, key, query, profile)).status).toBe(200);
  }
  const requests = [200, 200, 200, 503].map((status_code, index) => ({
    timestamp: Date.now() - 5 * minuteMs - index,
    duration: 0.1,
    status_code,
    method: "GET",
    path: "/orders",
    request_id: `r${index}`,
  }));
  expect(await sendRequests(flamekeep.url, key, "checkout", requests)).toBe(200);
});

const servicesIn = (url: URL) => JSON.parse(url.searchParams.get("service") ?? "[]");
const figuresOf = (label: string) =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: label, exact: true }) })
    .getByRole("cell");

test("a service is compared with another one from its page, and its hottest function opens in its flame graph", async () => {
  await visit(page, "/profiles/service/checkout?range=1h");
  await page.getByRole("link", { name: "Compare with another service" }).click();
  await page.waitForURL((url) => url.pathname === "/compare/services");
  expect(servicesIn(new URL(page.url()))).toEqual(["checkout"]);
  await page.getByRole("heading", { name: "Add a second service" }).waitFor();

  const field = page.getByRole("combobox", { name: "Add a service" });
  await field.fill("checkout");
  await field.press("Enter");
  await page.getByText("checkout is in the table already").waitFor();
  await field.fill("cart");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.waitForURL((url) => servicesIn(url).length === 2);
  await expect.poll(() => figuresOf("Error rate").allTextContents()).toEqual(["25.0%", "N/A"]);
  await expect
    .poll(() => figuresOf("CPU").allTextContents())
    .toEqual([expect.stringContaining("core"), expect.stringContaining("core")]);
  await page.getByRole("list", { name: "Hottest functions of cart" }).getByRole("link").first().waitFor();
  await page.getByRole("columnheader", { name: "Difference" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  const hottest = page.getByRole("list", { name: "Hottest functions of checkout" }).getByRole("link").first();
  const name = ((await hottest.getAttribute("title")) ?? "").split("\n")[0];
  await hottest.click();
  await page.waitForURL((url) => url.pathname === "/profiles/service/checkout/cpu");
  await page
    .getByRole("group", { name: "Selected function" })
    .getByTitle(name ?? "", { exact: true })
    .waitFor();
  expect(new URL(page.url()).searchParams.get("range")).toBe("1h");
  await page.goBack();
  await page.getByRole("button", { name: "Remove cart" }).click();
  await page.waitForURL((url) => servicesIn(url).length === 1);
  expect(errors).toEqual([]);
});

test("on a phone the figures scroll inside of their card, shared functions fit, and an empty page asks for a service", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, "/compare/services?range=1h&service=checkout&service=cart&service=unknown");
  const shared = page.getByRole("list", { name: "Shared library functions" });
  await shared.getByText("Difference").first().waitFor();
  expect(await shared.evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await visit(page, "/projects");
  await page.getByRole("link", { name: "Compare services" }).click();
  await page.getByRole("heading", { name: "Choose the services to compare" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Add a service" }).fill("cart");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "cart", exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test("a service is compared with one of another organization, and with all services of it", async () => {
  const guest = await flamekeep.openSignedIn();
  await visit(guest.page, await invite(page, "Viewer"));
  await guest.page.getByRole("button", { name: "Join Grace's organization" }).click();
  await guest.page.waitForURL("**/dashboard");
  const started = `service=checkout&type=cpu&started_at=${Date.now() - 10 * minuteMs}`;
  const own = recordedProfile("checkout", "cpu", "before");
  expect((await sendProfile(flamekeep.url, guest.account.key, started, own)).status).toBe(200);
  // The guest's session is in the organization that they joined.
  await visit(guest.page, "/compare/services?range=1h&service=cart");
  await guest.page.getByRole("combobox", { name: "Organization" }).click();
  await guest.page.getByRole("option", { name: "Grace's organization" }).first().click();
  const field = guest.page.getByRole("combobox", { name: "Add a service" });
  await field.fill("checkout");
  await field.press("Enter");
  const header = guest.page.getByRole("columnheader", { name: "checkout in Grace's organization" }).first();
  await header.waitFor();
  await guest.page.getByRole("list", { name: /^Hottest functions of checkout in/ }).waitFor();
  await guest.page.getByRole("columnheader", { name: "Difference" }).waitFor();
  await guest.page.getByRole("button", { name: "Add a group" }).click();
  await guest.page.getByRole("menuitem", { name: "All services" }).click();
  const cpu = guest.page
    .getByRole("row")
    .filter({ has: guest.page.getByRole("rowheader", { name: "CPU", exact: true }) })
    .getByRole("cell");
  await expect.poll(() => cpu.count()).toBe(3);
  // The guest's organization has one service alone.
  await expect
    .poll(async () => {
      const [, one, all] = await cpu.allTextContents();
      return one === all && one?.includes("core");
    })
    .toBe(true);
  expect(await accessibilityViolations(guest.page)).toEqual([]);
  expect(guest.errors).toEqual([]);
});
