import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { narrow, openAfresh, storedIn, visit } from "./harness/browser.ts";
import { colourOf, type FlameFrame, pointOn } from "./harness/flame-frames.ts";
import { openSentProfile } from "./harness/recorded-profile.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

/** Percentages are shown with one decimal. */
const shownPrecision = 0.06;
const matchColour = "#e11d2e";
const searched = "json";

const { body: recording, truth } = recordedCpuProfile();
const total = truth.totals["cpu/nanoseconds"] ?? 0;

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let path: string;
let frames: FlameFrame[];

beforeAll(async () => {
  ({ page, errors, path, frames } = await openSentProfile(flamekeep, recording));
});
beforeEach(async () => {
  await openAfresh(page, path);
  await graph().scrollIntoViewIfNeeded();
});

const graph = () => page.getByRole("application");
const details = () => page.getByRole("group", { name: "Frame" });
const zoomPath = () => page.getByRole("navigation", { name: "Zoom" });
const current = () => zoomPath().locator("[aria-current]").getAttribute("title");
const searchBox = () => page.getByRole("combobox", { name: "Search functions and packages" });
const spoken = () => page.locator('p[aria-live="polite"]', { hasText: "level" });
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

/** A wide frame some levels down, with a caller between it and the root. */
function deepFrame(): FlameFrame {
  const frame = frames.find(({ level, width }) => level === 4 && width > 0.1);
  if (frame === undefined) throw new Error("The recording has no wide frame four levels down.");
  return frame;
}

function isMatch({ level, name, packageName }: FlameFrame): boolean {
  return level > 0 && `${name}\n${packageName}`.toLowerCase().includes(searched);
}

/** Percent of the stacks through a package. */
function shareOfPackage(name: string): number {
  const outermost = frames.filter(
    (frame) => frame.packageName === name && !callersOf(frame).some((each) => each.packageName === name),
  );
  return (100 * outermost.reduce((sum, { total: value }) => sum + value, 0)) / total;
}

async function clickOn(frame: FlameFrame): Promise<void> {
  await graph().click({ position: await pointOn(page, frame) });
}

describe("the flame graph of a recorded profile", () => {
  test("begins within the first 300 px of the screen", async () => {
    await page.goto(path);
    await graph().waitFor();
    const { y = Number.NaN } = (await graph().boundingBox()) ?? {};
    expect(y).toBeLessThan(300);
  });

  test("hovering a frame shows its function and the percentages of go tool pprof", async () => {
    const expected = new Map(truth.by_cum.map((row) => [row.name, row]));
    const places = Map.groupBy(frames, ({ name }) => name);
    const alone = frames.filter(
      ({ name, level, width }) =>
        expected.has(name) && places.get(name)?.length === 1 && width > 0.01 && level < 30,
    );
    expect(alone.length).toBeGreaterThan(5);
    for (const frame of alone.slice(0, 15)) {
      const { flat, cum } = expected.get(frame.name)!;
      await graph().hover({ position: await pointOn(page, frame) });
      await details().getByTitle(frame.name, { exact: true }).waitFor();
      const [whole, self] = percents((await details().locator("dl").textContent()) ?? "");
      expect(Math.abs(whole! - (100 * cum) / total), `total of ${frame.name}`).toBeLessThan(shownPrecision);
      expect(Math.abs(self! - (100 * flat) / total), `self of ${frame.name}`).toBeLessThan(shownPrecision);
      if (frame.level < 2) continue;
      const ofCaller = `${((100 * frame.total) / frame.parent!.total).toFixed(1)}% of its caller`;
      await details().filter({ hasText: ofCaller }).waitFor();
    }
  });

  test("the legend lists the packages with their shares, and a click on one searches for it", async () => {
    await page.keyboard.press("l");
    const legend = page.getByRole("region", { name: "Legend" });
    const byPackage = Map.groupBy(frames, ({ packageName }) => packageName);
    const shares = [...byPackage.keys()]
      .filter((name) => name !== "")
      .map((name) => ({ name, share: shareOfPackage(name) }));
    shares.sort((a, b) => b.share - a.share);
    expect(shares.length).toBeGreaterThan(5);
    const buttons = legend.getByRole("button");
    await expect.poll(() => buttons.count()).toBe(shares.length);
    const { name, share } = shares[0]!;
    expect(await buttons.first().textContent()).toBe(`${name} ${share.toFixed(1)}%`);

    const frame = byPackage.get(name)!.reduce((a, b) => (b.width > a.width ? b : a));
    await buttons.first().click();
    await expect.poll(() => colourOf(page, frame)).toBe(matchColour);
    const found = page.getByRole("toolbar", { name: "Flame graph" }).getByRole("status");
    await found.filter({ hasText: `${share.toFixed(1)}% in` }).waitFor();
    expect(await buttons.first().getAttribute("aria-pressed")).toBe("true");
    await buttons.first().press("Enter");
    await expect.poll(() => colourOf(page, frame)).not.toBe(matchColour);
    await page.keyboard.press("l");
    await legend.waitFor({ state: "detached" });
  });

  test("a click zooms, the path zooms back to a caller, Reset Zoom to the root", async () => {
    const frame = deepFrame();
    await clickOn(frame);
    await zoomPath().getByRole("button", { name: "Reset Zoom" }).waitFor();
    expect(await current()).toBe(frame.name);
    const zoomed = parameter("zoom");
    expect(zoomed).not.toBeNull();

    // The zoomed frame and its callers now fill their rows.
    const edge = { ...frame, left: 0.01, width: 0.98 };
    await graph().hover({ position: await pointOn(page, edge, 0) });
    await details().getByTitle(frame.name, { exact: true }).waitFor();
    await graph().hover({ position: await pointOn(page, edge, 1) });
    await details().getByTitle(frame.name, { exact: true }).waitFor();

    const caller = frame.parent!;
    await zoomPath().getByTitle(caller.name, { exact: true }).click();
    await expect.poll(current).toBe(caller.name);
    expect(parameter("zoom")).not.toBe(zoomed);
    await zoomPath().getByRole("button", { name: "Reset Zoom" }).click();
    await zoomPath().locator("[aria-current]", { hasText: "Root" }).waitFor();
    expect(parameter("zoom")).toBeNull();
  });

  test("a search colours and counts the matches, and Enter selects the widest", async () => {
    const matches = frames.filter(isMatch).sort((a, b) => b.width - a.width);
    const outermost = matches.filter((frame) => !callersOf(frame).some(isMatch));
    const share = (100 * outermost.reduce((sum, { total: value }) => sum + value, 0)) / total;
    const functions = new Set(matches.map(({ name }) => name)).size;
    const widest = matches[0]!;
    const other = frames.find((frame) => frame.level === 1 && !isMatch(frame))!;
    expect(await colourOf(page, widest)).not.toBe(matchColour);

    await searchBox().fill(searched);
    const found = page.getByRole("toolbar", { name: "Flame graph" }).getByRole("status");
    await found.filter({ hasText: `in ${functions} functions, ${matches.length} frames` }).waitFor();
    expect(Math.abs(percents((await found.textContent()) ?? "")[0]! - share)).toBeLessThan(shownPrecision);
    await expect.poll(() => colourOf(page, widest)).toBe(matchColour);
    expect(await colourOf(page, other)).not.toBe(matchColour);
    expect(parameter("q")).toBe(searched);

    await searchBox().press("Enter");
    await spoken()
      .filter({ hasText: `${widest.name}, ` })
      .waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Clear search" }).click();
    await expect.poll(() => colourOf(page, widest)).not.toBe(matchColour);
    expect(parameter("q")).toBeNull();
  });

  test("arrows select frames, Enter zooms, Escape resets zoom and search", async () => {
    const children = frames.filter(({ level }) => level === 1);
    const grandchild = frames.find(({ parent }) => parent === children[1])!;
    await graph().focus();
    const expectSelected = async (key: string, frame: FlameFrame) => {
      await page.keyboard.press(key);
      const place = `level ${frame.level + 1} of`;
      await spoken()
        .filter({ hasText: `${frame.name}, ` })
        .filter({ hasText: place })
        .waitFor({ state: "attached" });
    };
    await expectSelected("ArrowDown", frames[0]!);
    await expectSelected("ArrowDown", children[0]!);
    await expectSelected("ArrowRight", children[1]!);
    await expectSelected("ArrowDown", grandchild);
    await expectSelected("ArrowUp", children[1]!);
    await expectSelected("ArrowLeft", children[0]!);
    await page.keyboard.press("Enter");
    await expect.poll(current).toBe(children[0]!.name);
    await page.keyboard.press("/");
    await page.keyboard.type(searched);
    await expect.poll(() => parameter("q")).toBe(searched);
    await graph().focus();
    await page.keyboard.press("Escape");
    await zoomPath().locator("[aria-current]", { hasText: "Root" }).waitFor();
    await expect.poll(() => [parameter("zoom"), parameter("q")]).toEqual([null, null]);
    expect(await searchBox().inputValue()).toBe("");
  });

  test("a link opens with the same zoom and search", async () => {
    const frame = deepFrame();
    await clickOn(frame);
    await searchBox().fill(searched);
    await expect.poll(() => parameter("q")).toBe(searched);
    const found = await page.getByRole("toolbar", { name: "Flame graph" }).getByRole("status").textContent();

    const other = await page.context().newPage();
    await other.goto(page.url());
    const toolbar = other.getByRole("toolbar", { name: "Flame graph" });
    await toolbar.getByRole("status").filter({ hasText: found! }).waitFor();
    expect(await toolbar.getByRole("combobox", { name: "Search functions and packages" }).inputValue()).toBe(
      searched,
    );
    const zoom = other.getByRole("navigation", { name: "Zoom" }).locator("[aria-current]");
    expect(await zoom.getAttribute("title")).toBe(frame.name);
    await other.close();
  });

  test("another sample type, whose siblings have another order, starts at the whole graph", async () => {
    await page.goto(`${path}?callers=0.1`);
    await clickOn(deepFrame());
    await expect.poll(() => parameter("zoom")).not.toBeNull();
    await page.getByRole("combobox", { name: "Sample type" }).click();
    await page.getByRole("option", { selected: false }).first().click();
    await expect.poll(() => parameter("sample_type")).not.toBeNull();
    expect([parameter("zoom"), parameter("callers")]).toEqual([null, null]);
  });

  test("the browser's back undoes one zoom after the other, the page's own Back leaves in one step", async () => {
    await page.goto("/profiles?view=profiles");
    await page.locator(`a[href="${path}"]`).first().click();
    const frame = deepFrame();
    await clickOn(frame.parent!);
    await expect.poll(current).toBe(frame.parent!.name);
    await page.getByRole("application").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(current).not.toBe(frame.parent!.name);
    const zoomed = await current();
    await page.goBack();
    await expect.poll(current).toBe(frame.parent!.name);
    await page.goForward();
    await expect.poll(current).toBe(zoomed);
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.waitForURL("**/profiles?view=profiles");
  });

  test("no errors occurred", () => {
    expect(errors).toEqual([]);
  });
});

describe("touch on a phone", () => {
  test("a tap selects, a second one zooms, two fingers zoom and pan", async () => {
    const stored = await storedIn(page);
    const phone = await flamekeep.open({ viewport: narrow, hasTouch: true, stored });
    // Panels above the graph, while they load, would move it away from the fingers.
    await visit(phone.page, path);
    await phone.page.getByRole("application").scrollIntoViewIfNeeded();
    const frame = frames.find(
      ({ level, left, width }) => level < 22 && width > 0.08 && width < 0.14 && left > 0.25 && left < 0.6,
    );
    if (frame === undefined) throw new Error("The recording has no frame of the width that fingers need.");
    const { x, y } = await pointOn(phone.page, frame);
    const details = phone.page.getByRole("group", { name: "Frame" }).getByTitle(frame.name, { exact: true });
    const tap = (atX: number) => phone.page.getByRole("application").tap({ position: { x: atX, y } });

    // Fifty pixels from its centre is outside of the frame, but inside once it is four times as wide.
    await tap(x + 50);
    await expect.poll(() => details.count()).toBe(0);
    await touch(phone.page, y, [
      [x - 20, x + 20],
      [x - 50, x + 50],
      [x - 80, x + 80],
    ]);
    await tap(x + 50);
    await details.waitFor();
    await touch(phone.page, y, [
      [x - 20, x + 80],
      [x - 50, x + 50],
      [x - 80, x + 20],
    ]);
    await tap(x + 50);
    await expect.poll(() => details.count()).toBe(0);
    await tap(x - 10);
    await details.waitFor();
    expect(new URL(phone.page.url()).searchParams.get("zoom")).toBeNull();

    await tap(x - 10);
    const zoom = phone.page.getByRole("navigation", { name: "Zoom" }).locator("[aria-current]");
    await expect.poll(() => zoom.getAttribute("title")).toBe(frame.name);
    expect(phone.errors).toEqual([]);
  });

  test("a finger that rests on a frame opens its menu", async () => {
    const stored = await storedIn(page);
    const phone = await flamekeep.open({ viewport: narrow, hasTouch: true, stored });
    // Panels above the graph, while they load, would move it away from the fingers.
    await visit(phone.page, path);
    await phone.page.getByRole("application").scrollIntoViewIfNeeded();
    const frame = deepFrame();
    const { x, y } = await pointOn(phone.page, frame);
    const box = await phone.page.getByRole("application").boundingBox();
    const session = await phone.page.context().newCDPSession(phone.page);
    const touchPoints = [{ x: box!.x + x, y: box!.y + y }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    const menu = phone.page.getByRole("menu", { name: "Frame" });
    await menu.waitFor();
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await menu.getByTitle(frame.name, { exact: true }).waitFor();
    await menu.getByRole("menuitem", { name: "Zoom to this frame" }).tap();
    const zoom = phone.page.getByRole("navigation", { name: "Zoom" }).locator("[aria-current]");
    await expect.poll(() => zoom.getAttribute("title")).toBe(frame.name);
    expect(phone.errors).toEqual([]);
  });
});

/** Moves two fingers along a row of the graph: down at the first pair of positions, over the others, and up. */
async function touch(on: Page, y: number, pairs: readonly (readonly [number, number])[]): Promise<void> {
  const box = await on.getByRole("application").boundingBox();
  const session = await on.context().newCDPSession(on);
  for (const [step, pair] of pairs.entries()) {
    const touchPoints = pair.map((x, id) => ({ id, x: box!.x + x, y: box!.y + y }));
    await session.send("Input.dispatchTouchEvent", {
      type: step === 0 ? "touchStart" : "touchMove",
      touchPoints,
    });
  }
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

function callersOf(frame: FlameFrame): FlameFrame[] {
  return frame.parent === null ? [] : [frame.parent, ...callersOf(frame.parent)];
}

/** Percentages in a text, in its order. */
function percents(text: string): number[] {
  return [...text.matchAll(/([\d.]+)\s?%/g)].map((match) => Number(match[1]));
}
