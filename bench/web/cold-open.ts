import type { Page } from "@flamekeep/e2e/browser";
import type { Flamekeep } from "@flamekeep/e2e/start-flamekeep";
import { atMost, type Measurement, quantile } from "#result";
import { shownAt, watchTimes } from "./page-times.ts";
import { busyService, profiles, type Seeded } from "./seed.ts";
import { Visitor } from "./visitor.ts";

const rounds = 3;
const graph = '[role=application][aria-label^="Flame graph"]';

/** The graph of a busy service right after a start of the server, and once more. Both visits find the browser's cache empty. */
export async function measureColdOpen(
  start: () => Promise<Flamekeep>,
  seeded: Seeded,
): Promise<Measurement[]> {
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using server = await start();
    await using visitor = await Visitor.open(server.url, seeded);
    await openBrowserOnce(await visitor.page("demo"));
    first.push(await firstFrame(await visitor.page()));
    second.push(await firstFrame(await visitor.page()));
  }
  const what = `${profiles} profiles, after a start`;
  const [firstMs, secondMs] = [quantile(first, 0.5), quantile(second, 0.5)];
  return [
    { what: `${what}: first frame of the first visit`, value: firstMs, unit: "ms" },
    { what: `${what}: first frame of the second`, value: secondMs, unit: "ms" },
    { what: `${what}: first against second`, value: firstMs / secondMs, unit: "times", bar: atMost(1.5) },
  ];
}

/** Chromium starts its processes with its first page. */
async function openBrowserOnce(page: Page): Promise<void> {
  await page.goto("/login");
  await page.context().close();
}

async function firstFrame(page: Page): Promise<number> {
  await watchTimes(page, { graph: [graph, 1] });
  await page.goto(`/profiles/service/${busyService}?range=24h`);
  const atMs = await shownAt(page, "graph");
  await page.waitForLoadState("networkidle");
  await page.context().close();
  return atMs;
}
