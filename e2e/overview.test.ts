import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

const nodesMax = 1500;
const at = new Date().toISOString();
const nameOf = (index: number) => `service-${String(index).padStart(4, "0")}`;

/** Answers the calls about services: there are `count`, and the third has an alert. Real ones would take minutes to store. */
async function answerFor(page: Page, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const isWorse = (index: number) => index === 2;
  await page.route(/\/api\/v1\/protected\/services\?/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const found = numbers.filter((index) => nameOf(index).includes(query.get("q") ?? ""));
    const sorted =
      query.get("order") === "alerts" ? found.toSorted((a, b) => +isWorse(b) - +isWorse(a)) : found;
    const { items, next_cursor } = pageOf(sorted, query);
    const counts = { cpu: 2, metrics: 1 };
    return route.fulfill({
      json: {
        services: items.map((index) => ({
          name: nameOf(index),
          last_activity: at,
          total_profiles: 3,
          profiles_by_type: counts,
          profiles_by_display_type: counts,
        })),
        next_cursor,
        total: found.length,
        totals: {
          services: count,
          last_activity: at,
          profiles_by_display_type: counts,
          open_alerts: 1,
          services_with_alerts: 1,
        },
      },
    });
  });
  await page.route(/\/api\/v1\/protected\/services\/trends/, (route) => {
    const named = new Set(new URL(route.request().url()).searchParams.getAll("service"));
    return route.fulfill({
      json: {
        from: at,
        to: at,
        bucket_seconds: 2700,
        next_cursor: null,
        open_alerts: 1,
        services_with_alerts: 1,
        services: numbers
          .filter((index) => named.has(nameOf(index)))
          .map((index) => ({
            name: nameOf(index),
            health: isWorse(index) ? "critical" : "healthy",
            open_alerts: isWorse(index) ? 1 : 0,
            worst_alert: isWorse(index) ? { profile_type: "goroutine", increase: 0.73 } : null,
            cpu: { points: [0.5, null, 1], current: isWorse(index) ? 0.75 : 0.5, previous: 0.5 },
          })),
      },
    });
  });
  await page.route(/\/api\/v1\/protected\/projects\?/, (route) => {
    const { items, next_cursor } = pageOf(numbers, new URL(route.request().url()).searchParams);
    return route.fulfill({
      json: {
        team_members: 3,
        next_cursor,
        total: count,
        totals: { projects: count, active: count, profiles: 3 * count },
        projects: items.map((index) => ({
          id: nameOf(index),
          name: nameOf(index),
          description: `Service: ${nameOf(index)}`,
          status: "active",
          tags: index === 0 ? ["payments"] : [],
          services: [],
          member_count: 0,
          profile_count: 3,
          created_at: at,
          last_activity: at,
          is_derived: true,
        })),
      },
    });
  });
}

/** The cursor is the number of items before the page. */
function pageOf(all: readonly number[], query: URLSearchParams) {
  const first = Number((query.get("cursor") ?? "at-0").slice(3));
  const end = first + Number(query.get("limit"));
  return { items: all.slice(first, end), next_cursor: end < all.length ? `at-${end}` : null };
}

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);

describe("a thousand services", () => {
  test("are listed in pages, searched and sorted with few elements, as are projects", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await answerFor(page, 1000);
    await visit(page, "/profiles");
    const list = page.getByRole("list", { name: "Services" });
    await list.getByRole("link", { name: /^service-0000/ }).waitFor();
    await page.getByText("0.500 cores").first().waitFor();
    expect(await nodes(page)).toBeLessThan(nodesMax);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await list.getByRole("link", { name: /^service-0047/ }).waitFor();
    expect(await nodes(page)).toBeLessThan(nodesMax);
    await page.getByText("48 of 1,000 services").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await list.getByRole("link", { name: /^service-0048/ }).waitFor();
    await page.getByRole("button", { name: "First page" }).click();
    await list.getByRole("link", { name: /^service-0000/ }).waitFor();

    await page.getByRole("combobox", { name: "Sort services" }).click();
    await page.getByRole("option", { name: "Sort: Open alerts" }).click();
    await page.waitForURL((url) => url.searchParams.get("sort") === "alerts");
    await expect
      .poll(() => list.getByRole("link").first().textContent())
      .toMatch(/^service-0002.*Goroutine alert \+73\.0%.*CPU \+50\.0%/);
    await page.getByRole("searchbox", { name: "Search services" }).fill("0123");
    await page.getByText("1 of 1,000").waitFor();
    expect(await list.getByRole("link").count()).toBe(1);
    await page.getByRole("searchbox", { name: "Search services" }).fill("nobody");
    await page.getByRole("heading", { name: "No service matches" }).waitFor();

    await visit(page, "/projects");
    await page.getByRole("heading", { name: "service-0000" }).waitFor();
    await page.getByText("Team Members").waitFor();
    expect(await nodes(page)).toBeLessThan(nodesMax);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("are eight on the dashboard, those with alerts first", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await answerFor(page, 12);
    await visit(page, "/dashboard");
    const cards = page.locator('a[href^="/projects/service-"]');
    await page.getByText("1 open alert", { exact: true }).waitFor();
    expect(await cards.count()).toBe(8);
    expect(await cards.first().textContent()).toMatch(/^service-0002Critical/);
    expect(await cards.first().textContent()).toContain("Goroutine alert +73.0%");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "View all 12" }).click();
    await page.waitForURL("**/profiles");
    expect(errors).toEqual([]);
  });

  test("are not called healthy if their health cannot be read", async () => {
    const { page } = await flamekeep.openSignedIn();
    await answerFor(page, 3);
    const refused = { status: 400, json: { error: "refused", code: "invalid", request_id: "r" } };
    await page.route(/\/api\/v1\/protected\/services\/trends/, (route) => route.fulfill(refused));
    for (const path of ["/dashboard", "/profiles"]) {
      await visit(page, path);
      const cards = page.getByRole("main").getByRole("link", { name: /^service-000\d/ });
      await cards.getByText("Could not load CPU and health", { exact: true }).nth(2).waitFor();
      expect(await cards.getByText("Healthy", { exact: true }).count()).toBe(0);
    }
  });

  test("that cannot be read are reported, and shown after a retry", async () => {
    const { page } = await flamekeep.openSignedIn();
    const failure = { status: 503, json: { error: "busy", code: "unavailable", request_id: "r" } };
    await page.route(/\/api\/v1\/protected\/services/, (route) => route.fulfill(failure));
    await page.goto("/profiles");
    await page.getByRole("status", { name: "Loading services..." }).waitFor();
    await page.getByRole("heading", { name: "Error Loading Services" }).waitFor();
    await page.getByText("Failed to load services. Please try again later.").waitFor();
    await page.unroute(/\/api\/v1\/protected\/services/);
    await answerFor(page, 3);
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByRole("link", { name: /^service-0000/ }).waitFor();
  });
});

describe("the time range", () => {
  test("is the same on every page and tab, and in the URL", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await answerFor(page, 3);
    await visit(page, "/dashboard");
    await page.getByRole("button", { name: "Time range: Last 24 hours" }).click();
    await page.getByRole("dialog", { name: "Time range" }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Last 7 days" }).click();
    await page.waitForURL((url) => url.searchParams.get("range") === "168h");
    const control = page.getByRole("button", { name: "Time range: Last 7 days" });
    await control.waitFor();

    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profiles" }).click();
    await page.waitForURL((url) => url.pathname === "/profiles" && url.searchParams.get("range") === "168h");
    await control.waitFor();
    await page.getByRole("tab", { name: "All profiles" }).click();
    await page.waitForURL((url) => url.searchParams.get("view") === "profiles");
    await control.waitFor();

    await page.keyboard.press("[");
    await page.waitForURL((url) => url.searchParams.has("from") && !url.searchParams.has("range"));
    await page.getByRole("button", { name: /^Time range: \w{3} \d+.* – / }).waitFor();
    await page.goBack();
    await control.waitFor();
    await visit(page, "/cpu-profiles");
    await control.waitFor();
    expect(errors).toEqual([]);
  });
});
