import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey, newPerson, register } from "./harness/account.ts";
import { accessibilityViolations } from "./harness/browser.ts";
import { capturedSdkRequests, recordedCpuProfile } from "./harness/recordings.ts";
import { sendAsPyroscope, sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

/** Percentages are shown with one decimal. */
const shownPrecision = 0.06;
const recording = recordedCpuProfile();
const total = recording.truth.totals["cpu/nanoseconds"] ?? 0;

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let key: string;

beforeAll(async () => {
  ({ page, errors } = await flamekeep.open());
  await register(page, newPerson());
  key = await createApiKey(page, "e2e");
});

describe("a recorded profile", () => {
  let profileId: string;

  test("is accepted, and recognized when it is sent again", async () => {
    const query = `service=checkout&type=cpu&started_at=${Date.now()}&tag.region=eu`;
    const first = await sendProfile(flamekeep.url, key, query, recording.body);
    expect(first).toMatchObject({
      status: 200,
      body: { service: "checkout", type: "cpu", duplicate: false },
    });
    profileId = String(first.body.profile_id);
    const again = await sendProfile(flamekeep.url, key, query, recording.body);
    expect(again).toMatchObject({ status: 200, body: { profile_id: profileId, duplicate: true } });
  });

  test("appears in the list within two seconds, which links to its page", async () => {
    await page.goto("/profiles?view=profiles");
    const link = page.locator(`a[href="/profile/${profileId}"]`).first();
    await link.waitFor({ timeout: 2000 });
    expect(await accessibilityViolations(page)).toEqual([]);
    await link.click();
    await page.getByRole("heading", { name: `Profile: ${profileId.slice(0, 12)}` }).waitFor();
  });

  test("has a flame graph with the values of go tool pprof", async () => {
    await page.getByRole("button", { name: "Both" }).click();
    const widest = recording.truth.by_cum.filter(({ cum }) => cum < total).slice(0, 3);
    const hottest = recording.truth.by_flat.slice(0, 3);
    for (const { name, flat, cum } of [...widest, ...hottest]) {
      const row = await searchFunction(name);
      const [self, whole] = await percents(row);
      expect(Math.abs(whole! - (100 * cum) / total), `total of ${name}`).toBeLessThan(shownPrecision);
      expect(Math.abs(self! - (100 * flat) / total), `self of ${name}`).toBeLessThan(shownPrecision);
    }
    await page.getByRole("button", { name: "Clear search" }).click();
  });

  test("has statistics that name the hottest function with the same share", async () => {
    const { name, flat } = recording.truth.by_flat[0]!;
    const first = page.getByRole("region", { name: "Top functions" }).getByRole("listitem").first();
    const named = first.getByRole("button").first();
    expect(await named.getAttribute("title")).toContain(name);
    expect(await first.textContent()).toContain(`${((100 * flat) / total).toFixed(1)}%`);
  });

  test("zooms by a click on a frame, and back by Reset Zoom", async () => {
    await page.getByRole("button", { name: "Graph", exact: true }).click();
    const zoomPath = page.getByRole("navigation", { name: "Zoom" });
    await clickFrame(1);
    await zoomPath.getByRole("button", { name: "Reset Zoom" }).waitFor();
    expect(await zoomPath.locator("[aria-current]").textContent()).not.toBe("Root");
    expect(new URL(page.url()).search).not.toBe("");
    await page.reload();
    await zoomPath.getByRole("button", { name: "Reset Zoom" }).click();
    await zoomPath.locator("[aria-current]", { hasText: "Root" }).waitFor();
  });

  test("has a page without errors and accessibility violations", async () => {
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe("requests of Pyroscope's Go SDK", () => {
  test("are answered with exactly 200, and the profile appears in the list", async () => {
    expect(await sendAsPyroscope(flamekeep.url, key, "pyroscope.checkout", recording.body)).toBe(200);
    await page.goto("/profiles/service/pyroscope.checkout");
    await page.locator('a[href^="/profile/"]').first().waitFor();
  });

  test("are accepted as captured", async () => {
    const requests = capturedSdkRequests();
    expect(requests.length).toBeGreaterThan(0);
    for (const { name, target, contentType, body } of requests) {
      const reply = await fetch(`${flamekeep.url}${target}`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": contentType },
        body: new Uint8Array(body),
      });
      expect(reply.status, `${name}: ${await reply.text()}`).toBe(200);
    }
  });
});

async function searchFunction(name: string): Promise<Locator> {
  await page.getByRole("combobox", { name: "Search functions and packages" }).fill(name);
  const row = page
    .getByRole("region", { name: "Functions" })
    .getByRole("row")
    .filter({
      has: page.getByTitle(name, { exact: true }),
    });
  await row.waitFor();
  return row;
}

/** Self and total of a row of the table of functions. */
async function percents(row: Locator): Promise<number[]> {
  const text = (await row.textContent()) ?? "";
  return [...text.matchAll(/([\d.]+)\s?%/g)].map((match) => Number(match[1]));
}

/** @param level 0 is the root's row */
async function clickFrame(level: number): Promise<void> {
  const graph = page.getByRole("application");
  await graph.scrollIntoViewIfNeeded();
  await graph.click({ position: { x: 12, y: 20 + 24 * level + 12 } });
}
