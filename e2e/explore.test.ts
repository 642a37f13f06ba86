import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations, follow, narrow, openAfresh, storedIn, visit } from "./harness/browser.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const minuteMs = 60_000;
const path = "/profiles/service/orders/cpu";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let key: string;

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  ({ key } = opened.account);
  const { body } = recordedCpuProfile();
  const sent = [
    [52, "1.0"],
    [48, "1.0"],
    [10, "1.1"],
  ] as const;
  for (const [minutes, version] of sent) {
    const query = `service=orders&type=cpu&started_at=${Date.now() - minutes * minuteMs}&tag.version=${version}`;
    expect((await sendProfile(flamekeep.url, key, query, body)).status).toBe(200);
  }
});

/** Where pointers move on the timeline, as shares of its width. */
async function drag(chart: Locator, from: number, to: number): Promise<void> {
  const box = await chart.locator(".u-over").boundingBox();
  if (box === null) throw new Error("the chart is not shown");
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  if (to !== from) await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
}

/** Drags the middle of something sideways. */
async function dragBy(handle: Locator, byPx: number): Promise<void> {
  const box = await settledBox(handle);
  const at = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] + byPx, at[1], { steps: 4 });
  await page.mouse.up();
}

/** The place of a handle once it rests: a chart may have another scale when its new values arrive. */
async function settledBox(handle: Locator): Promise<Box> {
  let before: Box | null = null;
  for (;;) {
    const box = await handle.boundingBox();
    if (
      box !== null &&
      before !== null &&
      box.x === before.x &&
      box.y === before.y &&
      box.width === before.width
    )
      return box;
    before = box;
    await page.waitForTimeout(400);
  }
}

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

/** Waits until the tab, the flame graph and the table show so many profiles. */
async function waitForProfiles(count: number): Promise<void> {
  await page.getByRole("tab", { name: `CPU ${count}`, exact: true }).waitFor();
  await page.getByText(`${count} ${count === 1 ? "profile" : "profiles"} merged`).waitFor();
  await page.getByText(`1–${count} of ${count}`).waitFor();
  await expect.poll(() => page.locator('table a[href^="/profile/"]').count()).toBe(count);
}

type Share = readonly [x: number, y: number];

const hasSelection = (url: URL) => url.pathname === path && url.searchParams.has("selection");

test("dragging on the timeline selects what the page shows, Back restores it, a click clears it", async () => {
  await visit(page, `${path}?range=1h&bucket=5m`);
  const chart = page.getByRole("application", { name: "CPU time of orders" });
  await waitForProfiles(3);
  await page.getByRole("button", { name: /Deploy: version 1\.1\. Before: 1\.0/ }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  await drag(chart, 0.6, 0.99);
  await page.waitForURL(hasSelection);
  await waitForProfiles(1);
  await page.getByText("Selected:").waitFor();

  await page.goBack();
  await page.waitForURL((url) => !hasSelection(url));
  await waitForProfiles(3);

  await page.goForward();
  await page.waitForURL(hasSelection);
  await waitForProfiles(1);
  await drag(chart, 0.3, 0.3);
  await page.waitForURL((url) => !hasSelection(url));
  await waitForProfiles(3);
});

test("a zoom in the merged graph is a step that Back undoes", async () => {
  await openAfresh(page, `${path}?range=1h`);
  const merged = page.getByRole("application", { name: /^Flame graph/ });
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  await merged.focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await expect.poll(() => parameter("zoom")).not.toBeNull();
  await page.goBack();
  await expect.poll(() => parameter("zoom")).toBeNull();
  expect(new URL(page.url()).pathname).toBe(path);
  await page.goForward();
  await expect.poll(() => parameter("zoom")).not.toBeNull();
});

test("a page stays as it is until the next one is loaded", async () => {
  await openAfresh(page, `${path}?range=1h`);
  const graph = await page.getByRole("application", { name: /^Flame graph/ }).elementHandle();
  let load: () => void = () => undefined;
  const isToLoad = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route("**/assets/**", async (route) => {
    await isToLoad;
    await route.continue();
  });
  const asked = page.waitForRequest("**/assets/**");
  await follow(page, "/findings");
  await asked;
  await page.getByRole("heading", { name: "Findings", level: 1 }).waitFor();
  expect(await graph!.evaluate((element) => element.isConnected)).toBe(true);
  load();
  await page.getByText("No findings yet").waitFor();
  expect(await graph!.evaluate((element) => element.isConnected)).toBe(false);
  await page.unroute("**/assets/**");
});

test("profiles that are older than the range are offered", async () => {
  const at = Date.now() - 5 * 24 * 60 * minuteMs;
  const { body } = recordedCpuProfile();
  const query = `service=archive&type=cpu&started_at=${at}`;
  expect((await sendProfile(flamekeep.url, key, query, body)).status).toBe(200);
  await openAfresh(page, "/profiles/service/archive/cpu?range=1h");
  await page.getByRole("button", { name: /^Show the latest, of / }).click();
  await expect.poll(() => page.locator('table a[href^="/profile/"]').count()).toBe(1);
  await page.goBack();
  await page.getByRole("button", { name: /^Show the latest, of / }).waitFor();
});

test("on a phone a finger selects a range on the timeline, and still scrolls the page", async () => {
  const { page: phone, errors } = await flamekeep.open({
    viewport: narrow,
    isMobile: true,
    hasTouch: true,
    stored: await storedIn(page),
  });
  const chart = phone.getByRole("application", { name: "CPU time of orders" }).locator(".u-over");
  await visit(phone, `${path}?range=1h&bucket=5m`);
  await phone.getByText("3 profiles merged").waitFor();
  // Deploys and alerts that arrive rebuild the chart.
  await phone.getByRole("button", { name: /Deploy: version 1\.1\. Before: 1\.0/ }).waitFor();
  await phone.waitForLoadState("networkidle");
  // The chart may still be replaced at that moment.
  const showChart = () => expect.poll(() => chart.scrollIntoViewIfNeeded()).toBeUndefined();
  await showChart();
  const devTools = await phone.context().newCDPSession(phone);
  const swipe = async ([fromX, fromY]: Share, [toX, toY]: Share) => {
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not shown");
    const point = (x: number, y: number) => [{ x: box.x + box.width * x, y: box.y + box.height * y }];
    const send = (type: "touchStart" | "touchMove", x: number, y: number) =>
      devTools.send("Input.dispatchTouchEvent", { type, touchPoints: point(x, y) });
    await send("touchStart", fromX, fromY);
    for (let step = 1; step <= 8; step++) {
      await send("touchMove", fromX + ((toX - fromX) * step) / 8, fromY + ((toY - fromY) * step) / 8);
    }
    await devTools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };

  const before = await phone.evaluate(() => scrollY);
  await swipe([0.5, 0.9], [0.55, 0.1]);
  await expect.poll(() => phone.evaluate(() => scrollY)).toBeGreaterThan(before);
  expect(hasSelection(new URL(phone.url()))).toBe(false);

  await showChart();
  await swipe([0.6, 0.5], [0.99, 0.55]);
  await phone.waitForURL(hasSelection);
  await phone.getByText("1 profile merged").waitFor();
  expect(errors).toEqual([]);
});

test("a tag is chosen from those that exist, splits the timeline, and stays from type to type", async () => {
  await openAfresh(page, `${path}?range=1h`);
  const filter = page.getByRole("combobox", { name: "Filter by tags" });
  await filter.fill("1.0");
  await page.getByRole("option", { name: "version: 1.0" }).click();
  await page.keyboard.press("Escape");
  await waitForProfiles(2);

  await page.getByRole("tab", { name: /^Overview/ }).click();
  await page.getByRole("application", { name: /^Figures of orders over time: CPU/ }).waitFor();
  await page.getByRole("button", { name: "Remove version: 1.0" }).click();
  await page.getByRole("tab", { name: "CPU 3", exact: true }).click();
  await page.getByRole("combobox", { name: "Group by" }).click();
  await page.getByRole("option", { name: "By version" }).click();
  await page.getByRole("button", { name: "1.1", exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test("a click on a deploy offers what came after it, and a comparison with the time before", async () => {
  await openAfresh(page, `${path}?range=1h&bucket=5m`);
  const flag = page.getByRole("button", { name: /Deploy: version 1\.1\. Before: 1\.0/ });
  const details = page.getByRole("dialog", { name: "Deploys and alerts" });
  await flag.hover();
  await details.getByText("Before: 1.0").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await details.getByRole("button", { name: "Show the time since" }).click();
  await page.waitForURL(hasSelection);
  await details.waitFor({ state: "detached" });

  await flag.focus();
  await page.keyboard.press("Enter");
  await details.getByRole("button", { name: "Compare with the time before this deploy" }).press("Enter");
  await page.waitForURL((url) => url.pathname === "/compare");
  await page.getByRole("heading", { name: /^orders: CPU/ }).waitFor();
  expect(errors).toEqual([]);
});

test("says which values of an address are not used, and what is shown instead", async () => {
  await visit(page, `${path}?range=fortnight&tags=eu&page=two`);
  const notice = page.getByRole("status").filter({ hasText: "Ignored in this address" });
  expect(await notice.textContent()).toBe(
    "Ignored in this address: range “fortnight”, page “two”, tags “eu”. Shown instead: the last 24 hours, the first page, no tag filter.",
  );
  await notice.getByRole("button", { name: "Close" }).click();
  await notice.waitFor({ state: "detached" });
  await visit(page, "/profiles/service/orders/cpus");
  await notice.getByText("type “cpus”. Shown instead: all types.").waitFor();
  await page.getByRole("link", { name: "Alerts" }).click();
  await notice.waitFor({ state: "detached" });
});

test("a range is compared with the period before, and a profile of the table with another one", async () => {
  await openAfresh(page, `${path}?range=6h`);
  await page.getByRole("link", { name: "Compare with the previous period" }).click();
  await page.waitForURL((url) => url.pathname === "/compare");
  await page.getByText("orders sent no CPU profile in the range before. Choose another range.").waitFor();
  expect(await page.getByRole("application", { name: /^Comparison of/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Open the other range alone" }).waitFor();
  await page.getByRole("button", { name: "Range of before" }).click();
  const form = page.getByRole("dialog", { name: "Time range" });
  await form.getByLabel("From", { exact: true }).fill("6h");
  await form.getByLabel("To", { exact: true }).fill("now");
  expect(await accessibilityViolations(page)).toEqual([]);
  await form.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("application", { name: /^Comparison of/ }).waitFor();
  await page.getByRole("application", { name: "CPU time, range after" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  const began = () => Date.parse(new URL(page.url()).searchParams.get("after_from") ?? "");
  const ended = () => Date.parse(new URL(page.url()).searchParams.get("after_to") ?? "");
  const [from, to] = [began(), ended()];
  const after = page.getByRole("application", { name: "CPU time, range after" });
  // More than half an hour is left: the beginning goes to the nearest hour, which must not be after the end.
  const { width } = await settledBox(after.locator("[data-selected-span]"));
  await dragBy(after.locator('[data-grip="from"]'), width * 0.9);
  await expect.poll(began).toBeGreaterThan(from);
  // Comparisons read whole minutes.
  expect(Math.abs(ended() - to)).toBeLessThan(minuteMs);
  const length = ended() - began();
  const moved = began();
  await dragBy(after.locator('[data-grip="move"]'), -80);
  await expect.poll(began).toBeLessThan(moved);
  expect(ended() - began()).toBe(length);
  await page.goBack();
  await page.goBack();
  await expect.poll(began).toBe(from);

  await page.getByText("No frame's self value changed.").waitFor();
  await page.getByRole("button", { name: "Total", exact: true }).click();
  await page
    .getByText("the change of a frame's total: blue is less, gray is equal, orange is more.")
    .waitFor();
  await page.getByRole("button", { name: "Relative" }).click();
  await page.getByText("The root is 100% on both sides, so it is gray.").waitFor();
  await page.getByRole("button", { name: "Side by side" }).click();
  await page.getByRole("application", { name: /^After of/ }).waitFor();
  const { searchParams } = new URL(page.url());
  expect(["mode", "color"].map((name) => searchParams.get(name))).toEqual(["relative", "total"]);

  await openAfresh(page, `${path}?range=1h`);
  const boxes = page.getByRole("checkbox", { name: /^Compare profile/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("link", { name: "Compare 2 profiles" }).click();
  await page.getByRole("heading", { name: /^orders: CPU .* \(same\)$/ }).waitFor();

  await page.goBack();
  await page.locator('table a[href^="/profile/"]').first().click();
  await page.getByRole("link", { name: "Compare with the previous profile" }).click();
  await page.getByRole("heading", { name: /^orders: CPU .* \(same\)$/ }).waitFor();
  expect(errors).toEqual([]);
});
