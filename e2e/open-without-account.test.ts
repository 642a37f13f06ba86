import { expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { drop } from "./harness/drop-files.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

const flamekeep = useOwnServer(() => startFlamekeep({ env: { DEMO: "off", OPEN_FILES: "on" } }));
const cpu = { name: "checkout.pb.gz", bytes: recordedCpuProfile().body };
const hostile = {
  name: `"><img src=x onerror=hit=1>.folded`,
  bytes: Buffer.from(`main;<svg onload=hit=1>;'{{7*7}} 7\nmain;gc 3\n`),
};
const html = { name: "login.html", bytes: Buffer.from("<!doctype html><html>") };

test("a file that is dropped without an account opens as a flame graph, which its link shows to others", async () => {
  const { page, errors } = await flamekeep.open();
  await visit(page, "/open");
  await drop(page, [cpu]);
  await page.getByRole("heading", { name: "checkout.pb.gz: CPU" }).waitFor();
  expect(page.url()).toMatch(/\/shared\/[\w-]{43}$/);
  await page.getByText(/^Kept until /).waitFor();
  await page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const other = await flamekeep.open();
  await visit(other.page, new URL(page.url()).pathname);
  await other.page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
  await page.getByRole("link", { name: "Open another file" }).click();
  await page.getByText("Drop profiles here").waitFor();
  expect([...errors, ...other.errors]).toEqual([]);
});

test.each([
  ["light", 1440],
  ["dark", 390],
] as const)(
  "several files have a result each, %s at %i px; hostile names are text",
  async (colorScheme, width) => {
    const { page, errors } = await flamekeep.open();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await visit(page, "/open");
    expect(await accessibilityViolations(page)).toEqual([]);
    await drop(page, [hostile, html]);
    await page.getByText("this is an HTML page").waitFor();
    await page.getByText(hostile.name).waitFor();
    await page.getByText(/^Kept until /).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    const newTab = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Flame graph" }).click();
    const graph = await newTab;
    await graph.getByRole("heading", { name: hostile.name }).waitFor();
    await graph.getByRole("application", { name: /^Flame graph of/ }).waitFor();
    for (const tab of [page, graph])
      expect(await tab.evaluate(() => (globalThis as { readonly hit?: number }).hit)).toBeUndefined();
    expect(await page.getByText("this is an HTML page").isVisible()).toBe(true);
    await page.reload();
    const kept = page.getByRole("region", { name: "Opened before in this tab" });
    await kept.getByRole("link", { name: "Flame graph" }).waitFor();
    expect(await kept.getByRole("listitem").count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    // The browser reports the refused file.
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
  },
);
