import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openAfresh, visit } from "./harness/browser.ts";
import { useDemo } from "./harness/use-flamekeep.ts";

const flamekeep = useDemo();
let page: Page;
let errors: readonly string[];

beforeAll(async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  ({ page, errors } = await flamekeep.open({ stored: { "flamekeep.demo": "true" }, permissions }));
  page.setDefaultTimeout(60_000);
  await visit(page, "/dashboard");
});

/** Each alert opens when the demo's profiles are written and evaluated. A round in the middle of the writing is repeated after 5 minutes. */
const alertMs = 420_000;

/** A task of a user, who sees only the page at `from`. Its clicks are counted. */
function task(name: string, clicksMax: number, from: string, steps: (click: Click) => Promise<void>): void {
  test(`${name}: ${clicksMax === 1 ? "one click" : `${clicksMax} clicks`}`, async () => {
    await openAfresh(page, from);
    let clicks = 0;
    await steps(async (locator, options) => {
      clicks++;
      await locator.click(options);
    });
    console.info(`${name}: ${clicks} of at most ${clicksMax} clicks`);
    expect(clicks).toBeLessThanOrEqual(clicksMax);
    expect(errors).toEqual([]);
  }, 600_000);
}

type Click = (locator: Locator, options?: Parameters<Locator["click"]>[0]) => Promise<void>;

const graph = () => page.getByRole("application", { name: /^Flame graph/ });
const alertOf = (service: string) => page.getByRole("listitem").filter({ hasText: service });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const cpu = "/profiles/service/checkout/cpu";

task("the hottest function of a service, and its sorted table", 2, "/profiles", async (click) => {
  await click(page.getByRole("link", { name: "checkout" }).first());
  await page.getByText(/^Hottest outside the runtime:\s*pricing\.hash\w+\s*\d+\.\d% self/).waitFor();
  await click(button("Table"));
  const rows = page.getByRole("grid", { name: "Functions" }).getByRole("row");
  await rows
    .filter({ hasText: /^pricing\.hash/ })
    .first()
    .waitFor();
});

task("the callers of a function", 2, `${cpu}?fn=shop/internal/pricing.(*Book).seal&zoom=@`, async (click) => {
  await page
    .getByRole("group", { name: "Frame", exact: true })
    .getByText(/\(\*Book\)\.seal$/)
    .waitFor();
  const position = { x: 100, y: 20 + 24 * 5 + 12 };
  await graph().hover({ position });
  await click(graph(), { button: "right", position });
  await click(page.getByRole("menuitem", { name: "Show callers and callees" }));
  await page.getByRole("application", { name: "Callers" }).waitFor();
});

task("before and after", 1, cpu, async (click) => {
  await click(page.getByRole("link", { name: /^Compare with the/ }));
  await page.waitForURL((url) => url.pathname === "/compare");
  await page.getByRole("heading", { name: /^checkout: CPU/ }).waitFor();
});

task("share a view", 1, cpu, async (click) => {
  await click(button("Share"));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`${cpu}?from=`);
  await page.keyboard.press("Escape");
});

task("export a graph", 2, cpu, async (click) => {
  await click(button("Export"));
  const download = page.waitForEvent("download");
  await click(page.getByRole("menuitem", { name: "SVG picture" }));
  expect((await download).suggestedFilename()).toMatch(/\.svg$/);
});

task("the slowest path of a service", 2, "/profiles/service/checkout", async (click) => {
  await click(page.getByRole("tab", { name: "HTTP" }));
  await click(page.getByRole("tab", { name: "Performance", exact: true }));
  const slowest = page.getByRole("list", { name: "Slowest paths by p95 duration" }).getByRole("listitem");
  await slowest
    .first()
    .getByText(/^p95 \d/)
    .waitFor();
});

task("a route is slower since the deploy, and the reason", 3, "/dashboard", async (click) => {
  const alert = alertOf("checkout")
    .filter({ hasText: /(\/orders|\/cart\/quote)/ })
    .first();
  await click(alert.getByRole("link", { name: "checkout", exact: true }), { timeout: alertMs });
  await page.getByText(/^The mean latency of/).waitFor();
  await page
    .getByText(/Deploy: version v1\.9\.0/)
    .first()
    .waitFor({ state: "attached" });
  await page.goBack();
  await click(alert.getByRole("link", { name: "Compare before and after: checkout" }));
  await page
    .getByRole("region", { name: "What changed" })
    .getByText(/^pricing\./)
    .first()
    .waitFor();
});

task("memory grows: the function that allocates", 1, "/dashboard", async (click) => {
  await click(alertOf("catalog").getByRole("link", { name: /^catalog\./ }), { timeout: alertMs });
  await page
    .getByRole("group", { name: "Frame", exact: true })
    .getByText(/catalog\.retain$/)
    .waitFor();
});

task("goroutines leak: the line", 1, "/dashboard", async (click) => {
  await click(alertOf("search").getByRole("link", { name: /^search\.\(/ }), { timeout: alertMs });
  await page
    .getByRole("group", { name: "Frame", exact: true })
    .getByText(/suggest\.go:\d+/)
    .waitFor();
});

task("two versions for one handler", 4, cpu, async (click) => {
  const handler = page.getByRole("region", { name: "Label handler" });
  await click(handler.getByRole("button", { name: /^\/orders \d/ }));
  const version = page.getByRole("region", { name: "Tag version" });
  await click(version.getByRole("button", { name: "Compare v1.8.0 with another value" }));
  await click(version.getByRole("link", { name: "Compare v1.8.0 with v1.9.0" }));
  await page.waitForURL((url) => url.searchParams.get("before_labels") === '{"handler":"/orders"}');
  const { searchParams } = new URL(page.url());
  expect(searchParams.get("after_tags")).toBe('{"version":"v1.9.0"}');
  await page
    .getByRole("region", { name: "What changed" })
    .getByText(/^pricing\./)
    .first()
    .waitFor();
});

task("why there is no data from a service", 1, "/profiles/service/checkout", async (click) => {
  await click(page.getByRole("link", { name: "Instances and keys" }));
  await page.waitForURL((url) => url.pathname === "/senders");
  await page
    .getByRole("region", { name: "Instances of checkout" })
    .getByText(/checkout-1:6060/)
    .first()
    .waitFor();
});

test("a leaked key is revoked in three clicks", async () => {
  const opened = await flamekeep.openSignedIn();
  await visit(opened.page, "/dashboard");
  await opened.page.getByRole("link", { name: "Settings" }).click();
  await opened.page
    .getByRole("button", { name: /^Revoke / })
    .first()
    .click();
  await opened.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Revoke/ })
    .click();
  await opened.page.getByText(/ is revoked$/).waitFor();
  expect(opened.errors).toEqual([]);
});
