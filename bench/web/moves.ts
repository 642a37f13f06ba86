import type { Page } from "@flamekeep/e2e/browser";
import { atMost, type Measurement, quantile } from "#result";
import type { Visitor } from "./visitor.ts";

const routeChanges = 12;
const sidebar = "nav[aria-label=Main]";
const routes = ["/dashboard", "/profiles", "/alerts"];

/** Frames of scrolling; the browser must have been started without a limit on its frame rate. */
export async function measureScrolling(visitor: Visitor): Promise<Measurement[]> {
  const page = await visitor.page();
  await page.goto("/profiles?view=profiles&size=50");
  await page.locator('a[href^="/profile/"]').nth(40).waitFor();
  const table = await page.evaluate(timeScrolling);
  await page.goto("/profiles");
  await page.locator('a[href^="/profiles/service/service-"]').first().waitFor();
  const cards = await page.evaluate(timeScrolling);
  await page.context().close();
  return [...frames("table of 11,000 profiles", table), ...frames("1,000 services", cards)];
}

function frames(what: string, values: readonly number[]): Measurement[] {
  return [
    { what: `${what}: frame while scrolling, p50`, value: quantile(values, 0.5), unit: "ms" },
    {
      what: `${what}: frame while scrolling, p95`,
      value: quantile(values, 0.95),
      unit: "ms",
      bar: atMost(16.7),
    },
  ];
}

/** Scrolls down and up again, a step each frame. */
async function timeScrolling(): Promise<number[]> {
  const steps = 300;
  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  const longest = document.documentElement.scrollHeight - innerHeight;
  const step = Math.min(60, (2 * longest) / steps);
  const times: number[] = [];
  await nextFrame();
  for (let at = 0, last = performance.now(); at < steps; at++) {
    scrollBy({ top: at < steps / 2 ? step : -step, behavior: "instant" });
    await nextFrame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
}

/** From the click on a link of the sidebar until the page is there with its data, which is cached. */
export async function measureRouteChanges(visitor: Visitor): Promise<Measurement[]> {
  const page = await visitor.page("demo");
  await page.goto(routes[0]!);
  await page.locator(`${sidebar} a[aria-current=page]`).waitFor();
  for (const path of [...routes, ...routes]) await changeRoute(page, path);
  const times: number[] = [];
  for (let at = 0; at < routeChanges; at++) times.push(await changeRoute(page, routes[at % routes.length]!));
  await page.context().close();
  return [
    { what: "route change with cached data, p50", value: quantile(times, 0.5), unit: "ms", bar: atMost(100) },
    { what: "route change with cached data, worst", value: Math.max(...times), unit: "ms" },
  ];
}

function changeRoute(page: Page, path: string): Promise<number> {
  return page.evaluate(
    async ([to, nav]) => {
      const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
      await nextFrame();
      const link = document.querySelector<HTMLElement>(`${nav} a[href^="${to}"]`);
      const start = performance.now();
      link?.click();
      const isThere = () =>
        location.pathname === to &&
        document.querySelector(`${nav} a[aria-current=page]`) === link &&
        document.querySelector('[role=status][aria-label^="Loading"]') === null;
      do await nextFrame();
      while (!isThere());
      await nextFrame();
      return performance.now() - start;
    },
    [path, sidebar] as const,
  );
}
