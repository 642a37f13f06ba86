import process from "node:process";
import type { Page } from "@flamekeep/e2e/browser";
import { atMost, type Measurement } from "#result";
import { callsOfPage } from "./calls-of-page.ts";
import { watchTimes } from "./page-times.ts";
import type { Visitor } from "./visitor.ts";

/** A page of every kind; a profile of the demo is added. */
const paths = [
  "/dashboard",
  "/profiles",
  "/profiles?view=profiles",
  "/profiles/service/checkout",
  "/profiles/service/checkout/cpu",
  "/cpu-profiles",
  "/alerts",
  "/projects",
  "/projects/checkout",
  "/settings",
  "/settings?tab=preferences",
];

const shiftMax = 0.02;
/** Long enough for everything that comes after the page. */
const settleMs = 1500;

/** Layout shift and calls of each page, opened with a cold cache in the demo. */
export async function measureViews(visitor: Visitor): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const path of [...paths, await profilePath(visitor)]) {
    const page = await visitor.page("demo");
    await watchTimes(page, {});
    const { inSeries, repeated } = await callsOfPage(page, path);
    await page.waitForTimeout(settleMs);
    const { layoutShift: shift, moved } = await page.evaluate(() => window.webTimes);
    await page.context().close();
    const name = path.replace(/^\/profile\/.*/, "/profile/{id}");
    if (shift > shiftMax) for (const line of moved) process.stderr.write(`    ${name} moves ${line}\n`);
    for (const call of repeated) process.stderr.write(`    ${name} makes ${call} again\n`);
    measurements.push(
      { what: `${name}: layout shift`, value: shift, unit: "", bar: atMost(shiftMax, true) },
      { what: `${name}: calls in series`, value: inSeries, unit: "", bar: atMost(2, true) },
      { what: `${name}: repeated calls`, value: repeated.length, unit: "", bar: atMost(0, true) },
    );
  }
  return measurements;
}

async function profilePath(visitor: Visitor): Promise<string> {
  const page: Page = await visitor.page("demo");
  await page.goto("/profiles/service/checkout/cpu");
  const path = await page.locator('a[href^="/profile/"]').first().getAttribute("href");
  await page.context().close();
  if (path === null) throw new Error("The demo has no profile");
  return path;
}
