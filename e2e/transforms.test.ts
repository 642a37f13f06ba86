import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { narrow, openAfresh } from "./harness/browser.ts";
import { type FlameFrame, framesOf, pointOn } from "./harness/flame-frames.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const { body: recording, truth } = recordedCpuProfile();
const total = truth.totals["cpu/nanoseconds"] ?? 0;

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let profilePath: string;
let comparePath: string;
let frames: FlameFrame[];

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  const { key } = opened.account;
  const send = async (ageMs: number) => {
    const query = `service=checkout&type=cpu&started_at=${Date.now() - ageMs}`;
    return String((await sendProfile(flamekeep.url, key, query, recording)).body.profile_id);
  };
  const before = await send(120_000);
  const after = await send(60_000);
  profilePath = `/profile/${after}`;
  comparePath = `/compare?before_profile=${before}&after_profile=${after}`;
  await page.goto("/profiles?view=profiles");
  frames = await framesOf(page, after);
});

const graph = (name = "Flame graph") => page.getByRole("application", { name: new RegExp(`^${name} of `) });
const steps = () => page.getByRole("group", { name: "Transforms", exact: true });
const stepNames = () => steps().getByRole("listitem").allTextContents();
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
const details = () => page.getByRole("group", { name: "Frame", exact: true });
const menuItem = (name: string) => page.getByRole("menuitem", { name, exact: true });
const summary = () => steps().getByRole("paragraph");

/** A function of the program that is called from one place, with callers and callees. */
function busyFrame(): FlameFrame {
  const callees = new Map<FlameFrame, FlameFrame[]>();
  for (const frame of frames)
    if (frame.parent !== null) callees.set(frame.parent, [...(callees.get(frame.parent) ?? []), frame]);
  const names = Map.groupBy(frames, ({ name }) => name);
  const found = frames.find(
    (frame) =>
      frame.level >= 3 &&
      frame.level <= 12 &&
      frame.width > 0.15 &&
      names.get(frame.name)!.length === 1 &&
      (callees.get(frame)?.length ?? 0) > 1 &&
      frame.packageName !== "runtime",
  );
  if (found === undefined) throw new Error("The recording has no wide function with callers and callees.");
  return found;
}

const shareOf = (frame: FlameFrame) => `${((100 * frame.total) / total).toFixed(1)}%`;

async function openMenuOn(frame: FlameFrame): Promise<void> {
  const position = await pointOn(page, frame);
  await graph().hover({ position });
  await graph().click({ button: "right", position });
  await menuItem("Show callers and callees").waitFor();
}

describe("steps on a profile", () => {
  beforeEach(async () => {
    await openAfresh(page, profilePath);
    await graph().waitFor();
  });

  test("a frame's menu leaves only the stacks through it, and Back undoes it", async () => {
    const frame = busyFrame();
    await openMenuOn(frame);
    await menuItem("Show only stacks through this function").click();
    await summary()
      .filter({ hasText: `${shareOf(frame)} of the total` })
      .waitFor();
    expect(parameter("transforms")).toBe(`focus:${frame.name}`);
    expect(await stepNames()).toHaveLength(1);

    // Shares stay those of the whole profile.
    await graph().hover({ position: { x: 200, y: 20 + 12 } });
    await details().getByText(shareOf(frame), { exact: true }).first().waitFor();

    await page.goBack();
    await expect.poll(() => parameter("transforms")).toBeNull();
    await expect.poll(() => steps().count()).toBe(0);
    await page.goForward();
    await summary()
      .filter({ hasText: shareOf(frame) })
      .waitFor();
  });

  test("steps are added, removed one by one, undone and shared by their link", async () => {
    await page.getByRole("button", { name: "Transform", exact: true }).click();
    await menuItem("Collapse recursion").click();
    await page.getByRole("button", { name: "Transform", exact: true }).click();
    await menuItem("Hide runtime").click();
    await expect.poll(stepNames).toEqual(["Collapse recursion", "Hide runtime"]);

    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Remove: Hide runtime", exact: true }).waitFor();
    await other.close();

    await page.getByRole("button", { name: "Remove: Collapse recursion", exact: true }).click();
    await expect.poll(stepNames).toEqual(["Hide runtime"]);
    await expect.poll(() => steps().evaluate((element) => element === document.activeElement)).toBe(true);
    await steps().getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(() => steps().count()).toBe(0);
    expect(parameter("transforms")).toBeNull();
    for (const expected of ["hide-runtime", "collapse;hide-runtime", "collapse"]) {
      await page.goBack();
      await expect.poll(() => parameter("transforms")).toBe(expected);
    }
  });

  test("a sandwich shows callers above and callees below, and each half works with the keyboard", async () => {
    const frame = busyFrame();
    await openMenuOn(frame);
    await menuItem("Show callers and callees").click();
    await graph("Callers").waitFor();
    await graph("Callees").waitFor();
    expect(parameter("transforms")).toBe(`sandwich:${frame.name}`);
    const [above, below] = await Promise.all([
      graph("Callers").boundingBox(),
      graph("Callees").boundingBox(),
    ]);
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y + 1);
    expect(above!.height).toBe((frame.level - 1) * 24);
    // The browser of the tests has no scroll bars, which take the same room in both halves, or the function would not line up.
    const gutter = (name: string) => graph(name).evaluate((each) => getComputedStyle(each).scrollbarGutter);
    expect(await Promise.all([gutter("Callers"), gutter("Callees")])).toEqual(["stable", "stable"]);
    expect(above!.width).toBe(below!.width);

    // The row next to the callees is the direct caller, as wide as the function.
    await graph("Callers").hover({ position: { x: above!.width / 2, y: above!.height - 12 } });
    await details().getByTitle(frame.parent!.name, { exact: true }).waitFor();
    await details().getByText(shareOf(frame), { exact: true }).first().waitFor();
    await graph("Callees").hover({ position: { x: below!.width / 2, y: 32 } });
    await details().getByTitle(frame.name, { exact: true }).waitFor();

    await page.mouse.move(0, 0);
    await graph("Callers").focus();
    await page.keyboard.press("ArrowUp");
    const spoken = (name: string) => page.locator('p[aria-live="polite"]', { hasText: `${name}, ` });
    await spoken(frame.parent!.name).waitFor({ state: "attached" });
    await page.keyboard.press("ArrowUp");
    await spoken(frame.parent!.parent!.name).waitFor({ state: "attached" });
    await page.keyboard.press("ArrowDown");
    await spoken(frame.parent!.name).waitFor({ state: "attached" });

    await page.keyboard.press("u");
    await graph().waitFor();
    expect(parameter("transforms")).toBeNull();
  });

  test("keys invert the graph, open the sandwich of the selected function and undo", async () => {
    await graph().focus();
    await page.keyboard.press("i");
    await expect.poll(stepNames).toEqual(["Inverted"]);
    await summary().filter({ hasText: "100.0% of the total" }).waitFor();
    const hottest = truth.by_flat[0]!;
    await graph().hover({ position: { x: 20, y: 20 + 24 + 12 } });
    await details().getByTitle(hottest.name, { exact: true }).waitFor();
    await page.mouse.move(0, 0);

    await graph().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("s");
    await graph("Callers").waitFor();
    // Callers are above again, so the inversion is over.
    expect(parameter("transforms")).toBe(`sandwich:${hottest.name}`);
    await page.keyboard.press("u");
    await expect.poll(() => parameter("transforms")).toBeNull();
  });

  test("S takes a function that a link selects, on a profile and on a comparison", async () => {
    const { name } = busyFrame();
    for (const path of [`${profilePath}?fn=`, `${comparePath}&fn=`]) {
      await page.goto(path + encodeURIComponent(name));
      await page.getByRole("group", { name: "Selected function" }).waitFor();
      await page.keyboard.press("s");
      await graph("Callers").waitFor();
      expect(parameter("transforms")).toBe(`sandwich:${name}`);
    }
  });

  test("the menu of a frame stays on a low screen, where it scrolls", async () => {
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: narrow.width, height: 480 });
    await graph().scrollIntoViewIfNeeded();
    await graph().click({ button: "right", position: { x: 100, y: 20 + 3 * 24 + 12 } });
    const box = (await page.getByRole("menu").boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(480);
    await menuItem("Hide this function").scrollIntoViewIfNeeded();
    await page.keyboard.press("Escape");
    await page.setViewportSize(wide);
  });

  test("the menu opens and is used with the keyboard alone, and gives the focus back", async () => {
    await graph().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const selected = page.locator('p[aria-live="polite"]', { hasText: "level 2 of" });
    await selected.waitFor({ state: "attached" });
    const name = /^(.*?), [\d.]+% total/.exec((await selected.textContent())!)![1];
    await page.keyboard.press("ContextMenu");
    await menuItem("Hide this function").waitFor();
    // Typing finds an item.
    await page.keyboard.type("hide this");
    await page.keyboard.press("Enter");
    await expect.poll(() => parameter("transforms")).toBe(`hide:${name}`);
    await expect.poll(() => graph().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("u");
    await expect.poll(() => parameter("transforms")).toBeNull();
  });

  test("steps of a search, and of nothing that is left", async () => {
    const search = page.getByRole("combobox", { name: "Search functions and packages", exact: true });
    await search.fill("json");
    await expect.poll(() => parameter("q")).toBe("json");
    // Closes the suggestions, which would lie over the toolbar.
    await search.press("Escape");
    await page.getByRole("button", { name: "Transform", exact: true }).click();
    await menuItem("Show only stacks with a match").click();
    const found = page.getByRole("toolbar", { name: "Flame graph" }).getByRole("status");
    const share = /[\d.]+%/.exec((await found.textContent()) ?? "")![0];
    await summary()
      .filter({ hasText: `${share} of the total` })
      .waitFor();

    await page.goto(`${profilePath}?transforms=focus%3Ano.such.function`);
    await page.getByRole("heading", { name: "No frames match" }).waitFor();
    await steps().getByRole("button", { name: "Undo", exact: true }).click();
    await graph().waitFor();
  });

  test("garbled steps are left out", async () => {
    await page.goto(`${profilePath}?transforms=nonsense%3B%3Bcollapse%3Bsandwich`);
    await steps().waitFor();
    await expect.poll(stepNames).toEqual(["Collapse recursion"]);
  });
});

test("steps work on the merged graph of a service", async () => {
  await page.goto("/profiles/service/checkout/cpu?transforms=my-code");
  await steps().waitFor();
  await expect.poll(stepNames).toEqual(["Only my code"]);
  await graph().waitFor();
  await graph().focus();
  await page.keyboard.press("i");
  await expect.poll(() => parameter("transforms")).toBe("my-code;invert");
  await page.goBack();
  await expect.poll(() => parameter("transforms")).toBe("my-code");
});

test("steps work on a comparison, as one graph and side by side", async () => {
  const frame = busyFrame();
  await page.goto(comparePath);
  await graph("Comparison").waitFor();
  await graph("Comparison").focus();
  await page.keyboard.press("i");
  await expect.poll(stepNames).toEqual(["Inverted"]);
  await summary().filter({ hasText: "100.0% of the total before and 100.0% after" }).waitFor();
  await page.goto(`${comparePath}&q=${encodeURIComponent(frame.name)}`);
  await page.getByText(`${shareOf(frame)} → ${shareOf(frame)}`, { exact: true }).waitFor();
  await page.goto(`${comparePath}&transforms=${encodeURIComponent(`sandwich:${frame.name}`)}`);
  await graph("Callers").waitFor();
  await graph("Callees").waitFor();
  await summary()
    .filter({ hasText: `${shareOf(frame)} of the total before and ${shareOf(frame)} after` })
    .waitFor();
  const box = await graph("Callers").boundingBox();
  await graph("Callers").hover({ position: { x: box!.width / 2, y: box!.height - 12 } });
  await details().getByTitle(frame.parent!.name, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Side by side", exact: true }).click();
  await graph("Before").waitFor();
  await graph("After").waitFor();
});

test("the selected function of a comparison has two rows on a phone: name with buttons, then its values", async () => {
  const wide = page.viewportSize()!;
  await page.setViewportSize(narrow);
  const name = busyFrame().name;
  await page.goto(`${comparePath}&fn=${encodeURIComponent(name)}`);
  const selected = page.getByRole("group", { name: "Selected function" });
  const boxOf = async (part: Locator) => (await part.boundingBox())!;
  const nameBox = await boxOf(selected.getByTitle(name, { exact: true }));
  const clear = await boxOf(selected.getByRole("button", { name: "Clear the selected function" }));
  const values = await boxOf(selected.getByText(/ place(s)?: total /));
  expect(Math.abs(nameBox.y + nameBox.height / 2 - clear.y - clear.height / 2)).toBeLessThan(2);
  expect(nameBox.x + nameBox.width).toBeLessThanOrEqual(clear.x);
  expect(values.y).toBeGreaterThanOrEqual(clear.y + clear.height);
  expect(values.width).toBeGreaterThan(300);
  await page.setViewportSize(wide);
});

test("no errors occurred", () => {
  expect(errors).toEqual([]);
});
