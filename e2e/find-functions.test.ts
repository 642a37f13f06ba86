import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accessibilityViolations, narrow, openAfresh, storedIn } from "./harness/browser.ts";
import { colourOf, type FlameFrame, pointOn } from "./harness/flame-frames.ts";
import { openSentProfile } from "./harness/recorded-profile.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const { body: recording, truth } = recordedCpuProfile();
const total = truth.totals["cpu/nanoseconds"] ?? 0;
const hottest = truth.by_flat[0]!;

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
const toolbar = () => page.getByRole("toolbar", { name: "Flame graph" });
const searchBox = () => page.getByRole("combobox", { name: "Search functions and packages" });
const status = () => toolbar().getByRole("status");
const selectedFunction = () => page.getByRole("group", { name: "Selected function" });
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
const showPane = (name: string) => toolbar().getByRole("button", { name, exact: true }).click();
const percent = (value: number) => {
  const share = (100 * value) / total;
  return share > 0 && share < 0.1 ? "<0.1%" : `${share.toFixed(1)}%`;
};
const placesOf = (name: string) => frames.filter((frame) => frame.name === name);
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Waits until the function is the selected one, with its values over all places and their number. */
async function expectSelected({
  name,
  flat,
  cum,
}: {
  name: string;
  flat: number;
  cum: number;
}): Promise<void> {
  await selectedFunction().getByTitle(name, { exact: true }).waitFor();
  await expect.poll(() => parameter("fn")).toBe(name);
  const text = await selectedFunction().getByRole("status").textContent();
  expect(text).toContain(`(${percent(cum)})`);
  expect(text).toContain(`(${percent(flat)})`);
  expect(text).toContain(plural(placesOf(name).length, "place"));
}

/** The row at which the keys are. */
async function cursorRow(grid: Locator): Promise<Locator> {
  const id = await grid.getAttribute("aria-activedescendant");
  return page.locator(`[id="${id}"]`);
}

describe("the search", () => {
  test("suggests functions with their share, chosen by keyboard, and Back undoes the choice", async () => {
    await searchBox().pressSequentially(hottest.name.slice(0, -1));
    const option = page.getByRole("option").filter({ has: page.getByTitle(hottest.name, { exact: true }) });
    await option.filter({ hasText: percent(hottest.cum) }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    for (let at = 0; at < 9 && (await option.getAttribute("aria-selected")) !== "true"; at++)
      await searchBox().press("ArrowDown");
    await searchBox().press("Enter");
    await expectSelected(hottest);
    expect(await searchBox().inputValue()).toBe(hottest.name);
    await page.goBack();
    await selectedFunction().waitFor({ state: "detached" });
    expect(parameter("fn")).toBeNull();
  });

  test("is a combobox: arrow keys walk the list, Escape closes it and keeps the text", async () => {
    await searchBox().pressSequentially(hottest.name.slice(0, 4));
    const list = page.getByRole("listbox", { name: "Functions" });
    await list.waitFor();
    const attribute = (name: string) => searchBox().getAttribute(name);
    expect([await attribute("aria-expanded"), await attribute("aria-controls")]).toEqual([
      "true",
      await list.getAttribute("id"),
    ]);
    const options = await list.getByRole("option").evaluateAll((all) => all.map(({ id }) => id));
    expect(options.length).toBeGreaterThan(1);
    const walked: (string | null)[] = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"]) {
      await searchBox().press(key);
      walked.push(await attribute("aria-activedescendant"));
    }
    // The text itself is before the first option and after the last one.
    expect(walked).toEqual([options[0], options[1], options[0], null, options.at(-1)]);
    expect(await page.locator(`[id="${options.at(-1)}"]`).getAttribute("aria-selected")).toBe("true");
    await searchBox().press("Escape");
    await list.waitFor({ state: "detached" });
    expect([await attribute("aria-expanded"), await attribute("aria-activedescendant")]).toEqual([
      "false",
      null,
    ]);
    expect(await searchBox().inputValue()).toBe(hottest.name.slice(0, 4));
    expect(await searchBox().evaluate((box) => box === document.activeElement)).toBe(true);
  });

  test("takes several texts and regular expressions, and says which it took", async () => {
    const expectFound = async (query: string, kind: string, isMatch: (frame: FlameFrame) => boolean) => {
      const matches = frames.filter((frame) => frame.level > 0 && isMatch(frame));
      expect(matches.length).toBeGreaterThan(0);
      const functions = new Set(matches.map(({ name }) => name)).size;
      await searchBox().fill(query);
      const text = `in ${plural(functions, "function")}, ${plural(matches.length, "frame")}`;
      await status().filter({ hasText: kind }).filter({ hasText: text }).waitFor();
    };
    const has = (frame: FlameFrame, text: RegExp) => text.test(frame.name) || text.test(frame.packageName);
    await expectFound("json", "Text", (frame) => has(frame, /json/i));
    await expectFound("json | mallocgc", "Any of 2 texts", (frame) => has(frame, /json|mallocgc/i));
    await expectFound("/^runtime\\.[a-m]/", "Regular expression", (frame) => has(frame, /^runtime\.[a-m]/i));
  });

  test("says what is wrong with an expression, and answers one that would never end elsewhere", async () => {
    await searchBox().fill("/(json/");
    await status().filter({ hasText: "An opening bracket ( is not closed." }).waitFor();
    expect(await searchBox().getAttribute("aria-invalid")).toBe("true");
    const start = Date.now();
    await searchBox().fill("/^(([a-z.*()/])+)+[^a-z.*()/]+!$/");
    await status().filter({ hasText: "no matches" }).waitFor();
    expect(Date.now() - start).toBeLessThan(5000);
  });

  test("for the package of a frame finds that package's functions alone", async () => {
    // The name of the package is also a part of other names.
    const isMain = ({ packageName }: FlameFrame) => packageName === "main";
    expect(frames.some((frame) => !isMain(frame) && frame.name.includes("main"))).toBe(true);
    const frame = frames.find((each) => isMain(each) && each.width > 0.1)!;
    await graph().click({ button: "right", position: await pointOn(page, frame) });
    await page.getByRole("menuitem", { name: "Search for package" }).click();
    await expect.poll(() => parameter("q")).toBe("/^main$/");
    const found = frames.filter(isMain);
    const functions = new Set(found.map(({ name }) => name)).size;
    const isBelowMain = (each: FlameFrame | null): boolean =>
      each !== null && (isMain(each) || isBelowMain(each.parent));
    const outermost = found.filter(({ parent }) => !isBelowMain(parent));
    const value = outermost.reduce((sum, each) => sum + each.total, 0);
    await status()
      .filter({ hasText: percent(value) })
      .filter({ hasText: `in ${plural(functions, "function")}, ${plural(found.length, "frame")}` })
      .waitFor();
  });

  test("dims no frame while an expression cannot be read", async () => {
    const frame = frames.find(({ level, width }) => level === 2 && width > 0.2)!;
    const colour = await colourOf(page, frame);
    await searchBox().fill("no.such.name");
    await expect.poll(() => colourOf(page, frame)).not.toBe(colour);
    await searchBox().fill("/[/");
    await status().filter({ hasText: "An opening bracket [ is not closed." }).waitFor();
    await expect.poll(() => colourOf(page, frame)).toBe(colour);
    await expect.poll(() => parameter("q")).toBe("/[/");
    expect(await colourOf(page, frame)).toBe(colour);
  });

  test("walks its matches with Enter and Shift+Enter", async () => {
    const matches = frames.filter(({ name }) => name === hottest.name).sort((a, b) => b.width - a.width);
    expect(matches.length).toBeGreaterThan(1);
    await searchBox().fill(hottest.name);
    await expect.poll(() => parameter("q")).toBe(hottest.name);
    await status().filter({ hasText: "frame" }).waitFor();
    const spoken = page.locator('p[aria-live="polite"]', { hasText: "level" });
    const place = async () => /level \d+ of/.exec((await spoken.textContent()) ?? "")?.[0];
    await searchBox().press("Enter");
    await expect.poll(place).toBe(`level ${matches[0]!.level + 1} of`);
    await searchBox().press("Enter");
    await searchBox().press("Shift+Enter");
    await expect.poll(place).toBe(`level ${matches[0]!.level + 1} of`);
  });
});

describe("the selected function", () => {
  test("is that of a clicked frame, with its values in all places; Back undoes zoom and selection at once", async () => {
    const frame = frames.find(
      ({ level, width, name }) => level > 2 && width > 0.1 && placesOf(name).length > 0,
    )!;
    const values = truth.by_cum.find(({ name }) => name === frame.name)!;
    await graph().click({ position: await pointOn(page, frame) });
    await expectSelected(values);
    expect(parameter("zoom")).not.toBeNull();
    await page.goBack();
    await selectedFunction().waitFor({ state: "detached" });
    expect([parameter("fn"), parameter("zoom")]).toEqual([null, null]);
  });

  test("is opened by a link at its widest place, and its places are visited", async () => {
    const name = truth.by_flat.map((each) => each.name).find((each) => placesOf(each).length > 1)!;
    await page.goto(`${path}?${new URLSearchParams({ fn: name, zoom: "@" })}`);
    const zoomed = page.getByRole("navigation", { name: "Zoom" }).locator("[aria-current]");
    await zoomed.and(page.getByTitle(name, { exact: true })).waitFor();
    await selectedFunction().getByRole("button", { name: "Next place" }).click();
    await page.locator('p[aria-live="polite"]', { hasText: `${name}, ` }).waitFor({ state: "attached" });
    await selectedFunction().getByRole("button", { name: "Clear the selected function" }).click();
    await expect.poll(() => parameter("fn")).toBeNull();
  });

  test("that a graph does not have is named", async () => {
    await page.goto(`${path}?fn=nowhere.Found`);
    await selectedFunction().getByText("has no frame in this graph").waitFor();
  });
});

describe("the table of functions", () => {
  test("is used with the keyboard, and has the values of go tool pprof", async () => {
    await showPane("Both");
    const grid = page.getByRole("grid", { name: "Functions" });
    await grid.focus();
    await page.keyboard.press("ArrowDown");
    const row = await cursorRow(grid);
    await row.getByTitle(hottest.name, { exact: true }).waitFor();
    expect(await row.textContent()).toContain(percent(hottest.flat));
    await page.keyboard.press("Enter");
    await expectSelected(hottest);
    expect(await row.getAttribute("aria-selected")).toBe("true");
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test("is sorted by total, and limited to a package", async () => {
    await showPane("Table");
    const grid = page.getByRole("grid", { name: "Functions" });
    await grid.getByRole("button", { name: "Total" }).click();
    const widest = truth.by_cum[0]!;
    await grid
      .getByRole("row")
      .nth(1)
      .filter({ hasText: percent(widest.cum) })
      .waitFor();
    await page.getByRole("combobox", { name: "Package", exact: true }).click();
    await page.getByRole("option", { name: /^runtime · / }).click();
    const functions = new Set(
      frames
        .filter(({ packageName, level }) => level > 0 && packageName === "runtime")
        .map(({ name }) => name),
    );
    await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe(String(functions.size + 1));
  });
});

describe("the call tree", () => {
  const tree = () => page.getByRole("treegrid", { name: "Call tree" });

  test("has the frames of the graph, opened and closed with the arrow keys", async () => {
    await showPane("Tree");
    await tree().focus();
    await page.keyboard.press("Home");
    const root = await cursorRow(tree());
    expect(await root.getAttribute("aria-level")).toBe("1");
    expect(await root.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowRight");
    const children = frames.filter(({ level }) => level === 1);
    const first = await cursorRow(tree());
    await first.getByTitle(children[0]!.name, { exact: true }).waitFor();
    expect(await first.getAttribute("aria-level")).toBe("2");
    expect(await first.getAttribute("aria-posinset")).toBe("1");
    expect(await first.getAttribute("aria-setsize")).toBe(String(children.length));
    expect(await first.textContent()).toContain(percent(children[0]!.total));
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await cursorRow(tree())).getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowDown");
    await (await cursorRow(tree())).getByTitle(children[1]!.name, { exact: true }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const values = truth.by_cum.find(({ name }) => name === children[0]!.name)!;
    await expectSelected(values);
    expect(parameter("zoom")).not.toBeNull();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test("shows the frame that was selected in the graph", async () => {
    const frame = frames.find(({ level, width }) => level === 5 && width > 0.05)!;
    await graph().click({ position: await pointOn(page, frame) });
    await selectedFunction().waitFor();
    await showPane("Tree");
    const row = tree().getByRole("row", { selected: true });
    await row.getByTitle(frame.name, { exact: true }).waitFor();
    expect(await row.getAttribute("aria-level")).toBe("6");
    expect(await row.textContent()).toContain(percent(frame.total));
  });

  test("opens a row by pointer without zooming", async () => {
    await showPane("Tree");
    const root = tree().getByRole("row", { expanded: true }).first();
    const rows = Number(await tree().getAttribute("aria-rowcount"));
    await root.locator("[data-toggle]").click();
    await expect.poll(() => tree().getAttribute("aria-rowcount")).toBe("2");
    expect(rows).toBeGreaterThan(2);
    expect(parameter("zoom")).toBeNull();
  });
});

test("rows fit a phone", async () => {
  const stored = await storedIn(page);
  const phone = await flamekeep.open({ viewport: narrow, hasTouch: true, stored });
  for (const pane of ["table", "tree"]) {
    await phone.page.goto(`${path}?${new URLSearchParams({ pane, fn: hottest.name })}`);
    const rows = phone.page.getByRole(pane === "table" ? "grid" : "treegrid");
    await rows.getByRole("row").nth(1).waitFor();
    const overflow = await phone.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    expect(await accessibilityViolations(phone.page)).toEqual([]);
  }
  expect(phone.errors).toEqual([]);
});

test("no errors occurred", () => {
  expect(errors).toEqual([]);
});
