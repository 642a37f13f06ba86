import { topPadding } from "@flamekeep/flame";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { accessibilityViolations, openAfresh, visit, type WatchedPage } from "./harness/browser.ts";
import { useDemo } from "./harness/use-flamekeep.ts";

const flamekeep = useDemo();

/** A new page that is in the demo already, in a separate browser context. */
function openDemo(): Promise<WatchedPage> {
  return flamekeep.open({ stored: { "flamekeep.demo": "true" } });
}

/** A page in the demo for tests that begin with a page of the app, but not with loading it, and leave its settings as they are. */
let demo: WatchedPage;
beforeAll(async () => {
  demo = await openDemo();
  await visit(demo.page, "/dashboard");
});

/** The function that `-regress pricing` of the example shop makes slow. */
const planted = "shop/internal/pricing.(*Book).seal";

/** Whether the frame that the graph is zoomed to is on the screen, below the bar with its name. */
async function isInView(page: Page): Promise<boolean> {
  const bar = await page.getByRole("group", { name: "Frame", exact: true }).boundingBox();
  const frame = await page.locator("[data-zoomed]").boundingBox();
  if (bar === null || frame === null) return false;
  return frame.y >= bar.y + bar.height && frame.y + frame.height <= (page.viewportSize()?.height ?? 0);
}

/** Whether the whole row is in the part of its table that is shown. */
function isInItsTable(row: Locator): Promise<boolean> {
  return row.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const shown = element.closest("table")!.parentElement!.getBoundingClientRect();
    return top >= shown.top && bottom <= shown.bottom;
  });
}

describe("the demo of a first start", () => {
  test("opens from the landing page, which draws its profiles", async () => {
    const { page, errors } = await flamekeep.open();
    await visit(page, "/");
    const graph = page.getByRole("img", { name: /^Flame graph/ });
    await graph.waitFor();
    expect(await graph.getAttribute("aria-label")).toMatch(/checkout service.*Largest self values: \S+/);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Open the demo" }).first().click();
    await page.waitForURL("**/dashboard");
    expect(errors).toEqual([]);
  });

  test("the landing page draws a flame graph before the server has answered any call", async () => {
    const { page } = await flamekeep.open();
    await page.route("**/api/**", () => undefined);
    await page.goto("/");
    const graph = page.getByRole("img", { name: /^Flame graph.*as recorded.*Largest self values: \S+/ });
    await graph.waitFor();
    const colours = () =>
      graph.evaluate((element) => {
        const canvas = element.querySelector("canvas")!;
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      });
    await expect.poll(colours).toBeGreaterThan(10);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("opens from the sign-in page and shows services and flame graphs", async () => {
    const { page, errors } = await flamekeep.open();
    await visit(page, "/login");
    await page.getByRole("button", { name: "Try the demo" }).click();
    await page.waitForURL("**/dashboard");

    await visit(page, "/profiles");
    for (const service of ["gateway", "checkout", "catalog", "search"]) {
      await page.getByRole("link", { name: service }).first().waitFor({ timeout: 60_000 });
    }
    expect(await accessibilityViolations(page)).toEqual([]);

    await visit(page, "/profiles/service/checkout/cpu");
    await page.locator('a[href^="/profile/"]').first().click();
    await page.waitForURL("**/profile/*");
    await page.getByRole("heading", { name: /^Profile:/ }).waitFor();
    await page.getByRole("application", { name: /^Flame graph/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("the overview of a service has its figures on one axis and compares two times in place", async () => {
    const { page, errors } = await openDemo();
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, "/profiles/service/checkout");
    const graph = page.getByRole("application", { name: /^Flame graph/ });
    await graph.waitFor();
    const top = async () => ((await graph.boundingBox())?.y ?? 0) + topPadding;
    await expect.poll(top).toBeGreaterThan(200);
    expect(await top()).toBeLessThanOrEqual(420);
    expect(await accessibilityViolations(page)).toEqual([]);

    const lanes = page.getByRole("application", { name: /^Figures of checkout over time: CPU/ });
    const drag = async (from: number, to: number) => {
      const { x, y, width } = (await lanes.boundingBox())!;
      await page.mouse.move(x + from * width, y + 24);
      await page.mouse.down();
      await page.mouse.move(x + to * width, y + 30, { steps: 3 });
      await page.mouse.up();
    };
    await drag(0.9, 0.99);
    await page.waitForURL(/selection=/);
    await page.keyboard.down("Shift");
    await drag(0.2, 0.4);
    await page.keyboard.up("Shift");
    await page.waitForURL(/before=/);
    await page.getByRole("heading", { name: "CPU: what changed" }).waitFor();
    await page.getByRole("button", { name: "End the comparison" }).click();
    await graph.waitFor();

    // The other tabs are pages of the same service.
    await page.getByRole("tab", { name: "HTTP" }).click();
    await page.getByRole("heading", { name: "HTTP Performance Timeline" }).waitFor();
    await page.getByRole("tab", { name: /^Alerts/ }).click();
    await page.getByRole("heading", { name: "Performance Alerts" }).waitFor();
    expect(errors).toEqual([]);
  });

  test("findings of all services are listed with what they save, and lead to the flame graph", async () => {
    const { page, errors } = await openDemo();
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, "/findings");
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("heading", { name: /finding/ }).waitFor();
          return page.getByRole("row").count();
        },
        { timeout: 120_000, interval: 2000 },
      )
      .toBeGreaterThan(5);
    await page.getByRole("heading", { name: /^\d+ open findings: .*cores/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText("Costs now").first().waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.locator('a[href*="fn="]').first().click();
    await page.getByRole("application", { name: /^Flame graph/ }).waitFor();
    expect(errors).toEqual([]);
  });

  test("on paper a page is light and has no sidebar and no header", async () => {
    const { page } = await openDemo();
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    await visit(page, "/projects/checkout");
    await page.getByRole("heading", { name: "Recent activity" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "User menu" }).isVisible()).toBe(false);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme()).toBe("dark");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    expect(await theme()).toBe("light");
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    expect(await theme()).toBe("dark");
  });

  test("no page makes a call twice", async () => {
    const { page } = await openDemo();
    // Without those that are repeated on purpose, at intervals.
    await page.addInitScript(() => {
      window.setInterval = (() => 0) as unknown as typeof setInterval;
    });
    await page.goto("/profiles/service/checkout/cpu");
    const profile = await page.locator('a[href^="/profile/"]').first().getAttribute("href");
    const calls: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/")) calls.push(`${request.method()} ${pathname}${search}`);
    });
    const service = "/profiles/service/checkout";
    const pages = ["/dashboard", `${service}/cpu`, "/projects/checkout", profile ?? ""];
    const others = ["/profiles", "/profiles?view=profiles", "/alerts", "/projects", service, "/settings"];
    for (const path of isFullLength ? [...pages, ...others] : pages) {
      // The page before may still call until it is left.
      await page.goto("about:blank");
      calls.length = 0;
      await visit(page, path);
      expect(calls.length, path).toBeGreaterThan(1);
      expect(
        calls.filter((call, at) => calls.indexOf(call) !== at),
        path,
      ).toEqual([]);
    }
  });

  test("a goroutine profile has an analysis, from which a function is found in the flame graph", async () => {
    const { page, errors } = demo;
    const query = "service=search&type=goroutine&limit=1";
    const url = `${flamekeep.url}/api/v1/protected/profiles?${query}`;
    const newest = async () => {
      const reply = await fetch(url, { headers: { authorization: "Bearer test-api-key" } });
      return ((await reply.json()) as { profiles: { profile_id: string }[] }).profiles[0]?.profile_id;
    };
    await expect.poll(newest, { timeout: 60_000 }).toMatch(/^[0-9a-f]{32}$/);
    await openAfresh(page, `/profile/${await newest()}`);
    await page.getByRole("application").waitFor();
    await page.getByRole("tab", { name: "Goroutine Analysis" }).click();
    const stacks = page.getByRole("list", { name: "Goroutines by stack" });
    await stacks.getByRole("button", { name: "Show the stack" }).first().click();
    await stacks.getByRole("list", { name: "Stack, leaf first" }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await stacks.getByRole("button", { name: "search.(*shard).serve" }).first().click();
    await page.getByRole("application").waitFor();
    const selected = page.getByRole("group", { name: "Selected function" });
    await selected.getByTitle("shop/internal/search.(*shard).serve", { exact: true }).waitFor();
    await page.goBack();
    await stacks.waitFor();
    expect(errors).toEqual([]);
  });

  test("a search box keeps its text in the URL and is cleared with it", async () => {
    const { page, errors } = demo;
    const box = page.getByRole("searchbox");
    for (const path of ["/profiles/service/checkout", "/projects"]) {
      await openAfresh(page, path);
      await box.pressSequentially("check out");
      await page.waitForURL((url) => url.pathname === path && url.searchParams.get("q") === "check out");
      expect(await box.inputValue()).toBe("check out");
    }
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
    await page.waitForURL((url) => url.pathname === "/projects" && !url.searchParams.has("q"));
    await expect.poll(() => box.inputValue()).toBe("");
    expect(errors).toEqual([]);
  });

  test("the page of a list survives a visit to a profile and a reload", async () => {
    const { page, errors } = await openDemo();
    await visit(page, "/profiles/service/checkout?size=5");
    const next = page.getByRole("button", { name: "Next page" });
    await next.click();
    await page.getByText("6–10 of").waitFor();
    await next.click();
    await page.getByText("11–15 of").waitFor();
    await page.locator('a[href^="/profile/"]').first().click();
    await page.waitForURL("**/profile/*");
    await page.goBack();
    await page.getByText("11–15 of").waitFor();
    await page.reload();
    await page.getByText("11–15 of").waitFor();
    await page.getByRole("button", { name: "Previous page" }).click();
    await page.getByText("6–10 of").waitFor();
    await page.getByRole("searchbox").fill("checkout");
    await page.getByText("1–5 of more than 5").waitFor();
    expect(errors).toEqual([]);
  });

  test("the frames of a profile begin within the first 300 px, below an open alert too", async () => {
    const { page, errors } = demo;
    await openAfresh(page, "/alerts");
    await page
      .getByRole("row", { name: /^CPU time Critical CPU/ })
      .locator('a[href^="/profile/"]')
      .last()
      // It opens when the demo's profiles are written and evaluated. A round in the middle of the writing sees too little, and the
      // next one is five minutes later.
      .click({ timeout: 420_000 });
    await page.waitForURL("**/profile/*");
    await page.getByText(/^CPU time of checkout rose by/).waitFor();
    const graph = page.getByRole("application", { name: /^Flame graph/ });
    await graph.waitFor();
    const { y = Number.NaN } = (await graph.boundingBox()) ?? {};
    expect(y + topPadding).toBeLessThan(300);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  }, 480_000);

  test("an alert leads in two clicks to the function that made checkout slower, with its values before and after", async () => {
    const { page, errors } = demo;
    await openAfresh(page, "/dashboard");
    const alert = page.getByRole("listitem").filter({ hasText: "checkout" }).filter({ hasText: "CPU" });
    await alert.getByRole("link", { name: "Compare before and after: checkout" }).click({ timeout: 420_000 });
    await page.waitForURL((url) => url.pathname === "/compare");
    await page.getByRole("heading", { name: /^checkout: CPU / }).waitFor();
    const changed = page.getByRole("region", { name: "What changed" });
    const culprit = changed.getByRole("button").first();
    const text = await culprit.textContent();
    const name = (await culprit.locator("[title]").first().getAttribute("title")) ?? "";
    // The alert may have selected it already, and a second choice ends that.
    if (new URL(page.url()).searchParams.get("fn") !== name) await culprit.click();

    expect(text).toMatch(/^pricing\.\S+grew.*\+/);
    await expect.poll(() => new URL(page.url()).searchParams.get("fn")).toBe(name);
    const { searchParams } = new URL(page.url());
    for (const own of ["fn", "zoom"]) searchParams.delete(own);
    const reply = await page.request.get(`/api/v1/protected/flamegraph/diff?${searchParams}`, {
      headers: { accept: "application/json", authorization: "Bearer test-api-key" },
    });
    const { functions, normalisation } = (await reply.json()) as {
      functions: { function_name: string; self_before: number; self_after: number }[];
      normalisation: { before_divisor: number; after_divisor: number };
    };
    const { self_before: before, self_after: after } = functions.find((fn) => fn.function_name === name)!;
    const { before_divisor: perBefore, after_divisor: perAfter } = normalisation;
    const change = (after / perAfter / (before / perBefore) - 1) * 100;
    await page
      .getByRole("group", { name: "Selected function" })
      .filter({ hasText: `(+${change.toFixed(1)}%)` })
      .waitFor();
    expect(await isInView(page)).toBe(true);
    await expect.poll(() => isInItsTable(page.locator("tr[aria-selected=true]"))).toBe(true);
    expect(errors).toEqual([]);
  }, 480_000);

  test("what an address has wrong is said once, not again after signing in", async () => {
    const { page, errors } = await openDemo();
    await visit(page, "/profiles/service/checkout/cpus");
    const notice = page.getByRole("status").filter({ hasText: "Ignored in this address" });
    await notice.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.waitForURL("**/login");
    await page.getByRole("button", { name: "Try the demo" }).click();
    await page.waitForURL("**/dashboard");
    await page.getByRole("heading", { name: "Organization Overview" }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("the sidebar collapses to icons with tooltips, and stays so after a reload", async () => {
    const { page, errors } = await openDemo();
    await visit(page, "/dashboard");
    const sidebar = page.getByRole("navigation", { name: "Main" });
    const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
    await expect.poll(width).toBeGreaterThan(250);
    await page.getByRole("button", { name: "Collapse sidebar" }).click();
    await expect.poll(width).toBeLessThanOrEqual(64);
    await sidebar.getByRole("link", { name: "Projects" }).hover();
    await page.getByText("Manage projects").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Expand sidebar" }).click();
    await expect.poll(width).toBeGreaterThan(250);
    expect(errors).toEqual([]);
  });

  test("the palette, the overview of shortcuts and the open alerts are reached from every page", async () => {
    const { page, errors } = demo;
    await openAfresh(page, "/profiles");
    await page.getByRole("link", { name: "checkout" }).first().waitFor({ timeout: 60_000 });

    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: "Find a page, service, function, profile or action" });
    await box.fill("check");
    await page.getByRole("option", { name: "checkout", exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await box.press("Enter");
    await page.waitForURL("**/profiles/service/checkout");
    await box.waitFor({ state: "detached" });

    await page.keyboard.press("?");
    const overview = page.getByRole("dialog", { name: "Keyboard and pointer" });
    await overview.getByText("Search functions and packages").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await overview.waitFor({ state: "detached" });

    await page.getByRole("button", { name: /^Notifications/ }).click();
    const alerts = page.getByRole("dialog", { name: "Open alerts" });
    await alerts.getByRole("link", { name: /^View all/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await alerts.getByRole("link", { name: /^View all/ }).click();
    await page.waitForURL("**/alerts");
    await alerts.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
  });

  test("a search without matches names the filtered type and offers to search all types", async () => {
    const { page, errors } = demo;
    await openAfresh(page, "/profiles?view=profiles&type=custom&q=gateway");
    await page.getByText("No Custom profile in this range has “gateway”").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Search All Types" }).click();
    await page.getByRole("link", { name: "gateway" }).first().waitFor();
    expect(errors).toEqual([]);
  });

  test("offers no actions that it would refuse, and links to registration", async () => {
    const { page, errors } = demo;
    for (const path of ["/projects", "/settings", "/alerts"]) {
      await openAfresh(page, path);
      const buttons = page.getByRole("button", { name: /New Project|Create API Key|Edit|Delete|Revoke/ });
      expect([path, await buttons.count()]).toEqual([path, 0]);
      expect(await accessibilityViolations(page), path).toEqual([]);
    }
    await openAfresh(page, "/projects");
    await page.getByText("The demo is read-only.").getByRole("link", { name: "Create an account" }).click();
    await page.getByRole("heading", { name: "Create an Account" }).waitFor();
    expect(errors).toEqual([]);
  });

  test("Back on a profile that was opened by a link leads to the profiles", async () => {
    const { page } = await openDemo();
    await page.goto(`/profile/${"0".repeat(32)}`);
    await page.getByRole("heading", { name: "Profile not found" }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.waitForURL("**/profiles?view=profiles");
  });

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

  test("is read-only", async () => {
    const headers = { authorization: "Bearer test-api-key", "content-type": "application/json" };
    const url = `${flamekeep.url}/api/v1/protected/api-keys`;
    const refused = await fetch(url, { method: "POST", headers, body: JSON.stringify({ name: "mine" }) });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: "The demo is read-only" });
  });
});
