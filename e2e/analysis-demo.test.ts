import { expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { useDemo } from "./harness/use-flamekeep.ts";

const flamekeep = useDemo();

/** The function that `-regress pricing` of the example shop makes slow. */
const planted = "shop/internal/pricing.(*Book).seal";

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
  await first.getByText("Code example").waitFor();
  expect(await first.locator("pre code").textContent()).toContain("func ");
  await panel.getByText(/^Built-in rules/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  await first.getByRole("list", { name: "Evidence" }).getByTitle(planted).click();
  await page.waitForURL((url) => url.searchParams.get("fn") === planted);
  const details = page.getByRole("group", { name: "Frame", exact: true });
  await details.getByTitle(planted, { exact: true }).waitFor();
  const height = page.viewportSize()?.height ?? 0;
  await expect
    .poll(async () => (await page.locator("[data-zoomed]").boundingBox())?.y ?? height)
    .toBeLessThan(height);
  expect(errors).toEqual([]);
});
