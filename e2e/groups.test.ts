import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations, narrow, visit } from "./harness/browser.ts";
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
    ["stock", "before"],
  ] as const) {
    const query = `service=${service}&type=cpu&started_at=${Date.now() - 10 * minuteMs}`;
    const profile = recordedProfile("checkout", "cpu", release);
    expect((await sendProfile(flamekeep.url, key, query, profile)).status).toBe(200);
  }
  const requests = [0.1, 0.1, 0.4].map((duration, index) => ({
    timestamp: Date.now() - 5 * minuteMs - index,
    duration,
    status_code: index === 2 ? 503 : 200,
    method: "GET",
    path: "/orders",
    request_id: `r${index}`,
  }));
  expect(await sendRequests(flamekeep.url, key, "cart", requests)).toBe(200);
});

const addressed = (url: URL, name: string) => JSON.parse(url.searchParams.get(name) ?? "[]");

test("a group is made in the dialog, shows its services by CPU, and is compared with a service", async () => {
  await visit(page, "/projects");
  await page.getByRole("button", { name: "New Project" }).click();
  const dialog = page.getByRole("dialog", { name: "New Project" });
  await dialog.getByLabel("Name").fill("checkout");
  await dialog.getByLabel("Description").fill("All that a customer waits for");
  for (const service of ["cart", "checkout", "later"]) {
    await dialog.getByRole("combobox", { name: "Services" }).fill(service);
    await page.getByRole("option", { name: service }).first().click();
  }
  await page.keyboard.press("Escape");
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "hidden" });

  const card = page.getByRole("article").filter({ hasText: "3 services" });
  await card.getByRole("link", { name: "View Details" }).click();
  await page.getByRole("heading", { level: 1, name: "checkout" }).waitFor();
  await page.getByText(/^checkout uses \d+% of the CPU of this group/).waitFor();
  const services = page.getByRole("table").getByRole("rowheader");
  expect(await services.allTextContents()).toEqual(["checkout", "cart", "later"]);
  await page.getByRole("row", { name: /^cart/ }).getByText("33.3%").waitFor();
  await page
    .getByRole("row", { name: /^later/ })
    .getByText("No data.")
    .waitFor();
  await page.getByRole("list", { name: "Hottest functions" }).getByRole("link").first().waitFor();
  await page.getByRole("list", { name: "Library functions that the services share" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.waitForURL((url) => addressed(url, "project").length === 1);
  await page.getByRole("combobox", { name: "Add a service" }).fill("stock");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => addressed(url, "service")[0] === "stock");
  const errorRates = page.getByRole("row", { name: /^Error rate/ }).getByRole("cell");
  await expect.poll(() => errorRates.allTextContents()).toEqual(["33.3%", "N/A"]);
  await page.getByRole("columnheader", { name: "Difference" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test("a group changes on its page, fits a phone, and says where the data of its services are missing", async () => {
  await visit(page, "/projects");
  await page
    .getByRole("article")
    .filter({ hasText: "3 services" })
    .getByRole("link", { name: "View Details" })
    .click();
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Project" });
  for (const service of ["checkout", "cart"])
    await dialog.getByRole("button", { name: `Remove ${service}` }).click();
  await dialog.getByRole("button", { name: "Update" }).click();
  await page.getByRole("heading", { name: "No data from these services" }).waitFor();
  await page.setViewportSize(narrow);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width);
  expect(await accessibilityViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByRole("combobox", { name: "Services" }).fill("stock");
  await page.getByRole("option", { name: "stock" }).first().click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Update" }).click();
  await page.getByRole("list", { name: "Services" }).getByRole("link", { name: "stock" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width);
  expect(errors).toEqual([]);
});
