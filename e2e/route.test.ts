import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations, narrow, openAfresh, visit } from "./harness/browser.ts";
import { recordedCpuProfile, recordedProfile } from "./harness/recordings.ts";
import { sendProfile, sendRequests } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const path = "/projects/checkout/route?path=%2Forders&range=1h";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
/** When the profiles of ten seconds begin: requests are counted by tenths of a second. */
const startedMs = Math.floor(Date.now() / 1000) * 1000 - 10 * 60_000;

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  page.setDefaultTimeout(60_000);
  const { key } = opened.account;
  for (const [type, body] of [
    ["cpu", recordedCpuProfile().body],
    ["block", recordedProfile("checkout", "block")],
  ] as const) {
    const query = `service=checkout&type=${type}&started_at=${startedMs}&delta=true`;
    expect((await sendProfile(flamekeep.url, key, query, body)).status).toBe(200);
  }
  const requests = Array.from({ length: 200 }, (_, index) => ({
    timestamp: startedMs + 50 * index,
    duration: 0.02,
    status_code: 201,
    method: "POST",
    path: "/orders",
    request_id: `r${index}`,
  }));
  expect(await sendRequests(flamekeep.url, key, "checkout", requests)).toBe(200);
});

test("a route says where its time goes, and its stacks and slowest requests lead to profiles", async () => {
  await visit(page, "/profiles?view=http&range=1h");
  await page.getByRole("row", { name: "/orders" }).click();
  await page.getByRole("heading", { level: 1, name: "POST /orders" }).waitFor();
  await page.getByText("The mean latency of 200 requests. Profiles: handler = /orders").waitFor();
  await page.getByText(/^CPU: estimated from 1 CPU profile \(10 s in total\) and 200 requests/).waitFor();
  await page
    .getByText(/stacks through main\.\(\*checkoutRoutes\)\.placeOrder, which only this route runs/)
    .waitFor();
  await page.getByText("samples with handler = /orders").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Block", exact: true }).click();
  await page.getByText("stacks through the function that only this route runs").waitFor();
  await page.getByText("Show only stacks through main.(*checkoutRoutes).placeOrder").waitFor();
  await page.getByRole("link", { name: "CPU profile", exact: true }).first().click();
  await page.waitForURL(({ pathname }) => pathname.startsWith("/profile/"));
  await page.getByRole("button", { name: "Remove handler: /orders" }).waitFor();
  expect(errors).toEqual([]);
});

test("a rule about the latency of a route takes two clicks from its chart", async () => {
  await visit(page, path);
  await page.getByRole("link", { name: "Alert on this: latency" }).click();
  const threshold = page.getByLabel("Threshold");
  expect(await threshold.inputValue()).toBe("30");
  expect(await page.getByLabel("Route").inputValue()).toBe("POST /orders");
  await threshold.fill("50");
  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByText("p95 of requests of POST /orders in checkout above 50 ms").first().waitFor();
  await page.getByRole("link", { name: "POST /orders" }).click();
  await page.getByRole("heading", { level: 1, name: "POST /orders" }).waitFor();
  expect(errors).toEqual([]);
});

test("an address of the requests of a path leads to the route, and one without a label shows how to add one", async () => {
  await visit(page, "/projects/checkout?path=%2Forders&requests=latest&range=1h");
  await page.waitForURL(({ pathname }) => pathname === "/projects/checkout/route");
  await page.getByText("The latest 20").waitFor();
  await openAfresh(page, "/projects/checkout/route?path=%2Felsewhere&range=1h");
  await page.getByText("No request of this route was received").first().waitFor();
  await openAfresh(page, `${path}&label=tenant`);
  await page.getByRole("heading", { name: "No label of the CPU profiles names this route" }).waitFor();
  await page.getByRole("button", { name: "Pyroscope SDK for Go" }).click();
  await page.getByText("pyroscope.TagWrapper(").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});

test("on a phone the page is as wide as the screen", async () => {
  await page.setViewportSize(narrow);
  await openAfresh(page, path);
  await page.getByText("The mean latency of 200 requests").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
