import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { recordedProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const minuteMs = 60_000;

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  for (const [minutes, version, release] of [
    [12, "v1.8.0", "before"],
    [8, "v1.9.0", "after"],
  ] as const) {
    const startedAt = Date.now() - minutes * minuteMs;
    const query = `service=checkout&type=cpu&started_at=${startedAt}&tag.version=${version}&tag.region=eu`;
    const profile = recordedProfile("checkout", "cpu", release);
    expect((await sendProfile(flamekeep.url, opened.account.key, query, profile)).status).toBe(200);
  }
});

const changes = () => page.getByRole("region", { name: "What changed" });
const tagsIn = (url: URL, side: string) => JSON.parse(url.searchParams.get(`${side}_tags`) ?? "{}");

test("two versions are compared from the legend in two clicks, with the filters of the page", async () => {
  const tags = encodeURIComponent(JSON.stringify({ region: "eu" }));
  await visit(page, `/profiles/service/checkout/cpu?range=1h&bucket=1m&group_by=version&tags=${tags}`);
  // The legend is above the card of tags, which has the same buttons.
  await page.getByRole("button", { name: "Compare v1.8.0 with another value" }).first().click();
  await page.getByRole("link", { name: "Compare v1.8.0 with v1.9.0" }).first().click();
  await page.waitForURL((url) => url.pathname === "/compare");
  const url = new URL(page.url());
  expect(tagsIn(url, "before")).toEqual({ region: "eu", version: "v1.8.0" });
  expect(tagsIn(url, "after")).toEqual({ region: "eu", version: "v1.9.0" });
  await page.getByRole("button", { name: "Remove version: v1.9.0" }).waitFor();
});

test("a comparison begins with the functions that explain the change; a click finds one in graph and table", async () => {
  await changes()
    .getByRole("heading", { name: /^\d functions? explains? \d+% of the change$/ })
    .waitFor();
  await changes().getByText("version: v1.8.0 → v1.9.0").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const first = changes().getByRole("listitem").first().getByRole("button");
  expect(await first.textContent()).toMatch(/grew|new/);
  await first.click();
  const name = (await first.locator("[title]").first().getAttribute("title")) ?? "";
  await page.waitForURL((url) => url.searchParams.get("fn") === name);
  await page
    .locator("tr[aria-selected=true]")
    .filter({ hasText: name.slice(name.lastIndexOf("/") + 1) })
    .waitFor();
  expect(await first.getAttribute("aria-pressed")).toBe("true");
});

test("the table is next to the graph on a wide screen, and below it on a narrow one", async () => {
  const usual = page.viewportSize()!;
  const places = async () => {
    const graph = await page.getByRole("application", { name: /^Comparison of/ }).boundingBox();
    const table = await page.getByRole("grid", { name: "Functions" }).boundingBox();
    return { graph: graph!, table: table! };
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await places()).table.x).toBeGreaterThan((await places()).graph.x + 300);
  await page.setViewportSize({ width: 1024, height: 900 });
  await expect.poll(async () => (await places()).table.y).toBeGreaterThan((await places()).graph.y + 100);
  await page.setViewportSize(usual);
});

test("the fields of a side complete tags", async () => {
  await visit(page, "/compare?service=checkout&type=cpu&before_from=1h&after_from=1h");
  await page.getByRole("button", { name: "Tags of after" }).click();
  await page.getByRole("combobox", { name: "Tags of after" }).pressSequentially("ver");
  await page.getByRole("option", { name: "version: v1.9.0" }).click();
  await page.waitForURL((url) => tagsIn(url, "after").version === "v1.9.0");
  expect(errors).toEqual([]);
});
