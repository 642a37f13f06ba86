import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { useDemo } from "./harness/use-flamekeep.ts";

const flamekeep = useDemo();

/** The function that `-regress pricing` of the example shop makes slow. */
const planted = "shop/internal/pricing.(*Book).seal";

/** Whether the frame that the graph is zoomed to is on the screen, below the bar with its name. */
async function isInView(page: Page): Promise<boolean> {
  const bar = await page.getByRole("group", { name: "Frame", exact: true }).boundingBox();
  const frame = await page.locator("[data-zoomed]").boundingBox();
  if (bar === null || frame === null) return false;
  return frame.y >= bar.y + bar.height && frame.y + frame.height <= (page.viewportSize()?.height ?? 0);
}

test("a first visit without any key leads from the demo to the planted hot spot, its code and its frame", async () => {
  const { page, errors } = await flamekeep.open();
  page.setDefaultTimeout(60_000);
  await visit(page, "/");
  await page.getByRole("button", { name: "Open the demo" }).first().click();
  await page.waitForURL("**/dashboard");
  await visit(page, "/profiles/service/checkout/cpu");
  await page.locator('a[href^="/profile/"]').first().click();
  await page.getByRole("heading", { name: /^Profile:/ }).waitFor();

  const panel = page.locator("#ai-analysis");
  await panel.getByRole("button", { name: "Start Analysis" }).click();
  const first = panel.getByRole("list", { name: "Recommendations" }).getByRole("listitem").first();
  await first.getByText("high priority").waitFor();
  await first.getByText("Code example").waitFor();
  expect(await first.locator("pre code").textContent()).toContain("func ");
  await panel.getByText(/^Built-in rules/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  await first.getByRole("list", { name: "Evidence" }).getByTitle(planted).click();
  await page.waitForURL((url) => url.searchParams.get("fn") === planted);
  const details = page.getByRole("group", { name: "Frame", exact: true });
  await details.getByTitle(planted, { exact: true }).waitFor();
  await expect.poll(() => isInView(page)).toBe(true);
  expect(errors).toEqual([]);
});
