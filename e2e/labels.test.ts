import { recordedFile } from "@flamekeep/profile/testing/recordings";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations, narrow, openAfresh, visit } from "./harness/browser.ts";
import { sameSides } from "./harness/same-sides.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const minuteMs = 60_000;
const path = "/profiles/service/bakery/cpu";
/** Its samples have the labels shop and step. */
const body = recordedFile("go1.26/cpu.pb.gz");

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let profileId: string;

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  for (const minutes of [40, 10]) {
    const query = `service=bakery&type=cpu&started_at=${Date.now() - minutes * minuteMs}`;
    const reply = await sendProfile(flamekeep.url, opened.account.key, query, body);
    expect(reply.status).toBe(200);
    profileId = String(reply.body.profile_id);
  }
});

const step = () => page.getByRole("region", { name: "Label step" });
const labelsIn = (url: URL) => JSON.parse(url.searchParams.get("labels") ?? "{}");

test("a click on a value filters graph and timeline, a second one or the chip takes the filter back", async () => {
  await visit(page, `${path}?range=1h&bucket=5m`);
  await step()
    .getByRole("button", { name: /^knead 22\.6/ })
    .click();
  await page.waitForURL((url) => labelsIn(url).step === "knead");
  await step()
    .getByRole("button", { name: /^knead 100/ })
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove step: knead" }).click();
  await page.waitForURL((url) => labelsIn(url).step === undefined);
  await step()
    .getByRole("button", { name: /^knead 22\.6/ })
    .waitFor();
  await page.goBack();
  await page.waitForURL((url) => labelsIn(url).step === "knead");
  await page.goForward();
});

const filter = () => page.getByRole("combobox", { name: "Filter by labels of samples" });

test("a label and its value are completed with the keyboard, and a chosen function keeps the filter", async () => {
  await openAfresh(page, `${path}?range=1h&bucket=5m`);
  await filter().click();
  await filter().pressSequentially("ste");
  await page.getByRole("option", { name: "step:", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "step: knead" }).waitFor();
  expect(await filter().inputValue()).toBe("step: ");
  await filter().pressSequentially("kn");
  await page.getByRole("option", { name: "step: sort" }).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => labelsIn(url).step === "knead");
  expect(await filter().inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove step: knead" }).waitFor();

  const search = page.getByRole("combobox", { name: "Search functions and packages" });
  await search.pressSequentially("main");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.has("fn"));
  expect(labelsIn(new URL(page.url()))).toEqual({ step: "knead" });

  await filter().focus();
  await page.keyboard.press("Backspace");
  await page.waitForURL((url) => labelsIn(url).step === undefined);
});

test("two values of a label are compared in two clicks", async () => {
  await openAfresh(page, `${path}?range=1h&bucket=5m`);
  await step().getByRole("button", { name: "Compare knead with another value" }).click();
  await step().getByRole("link", { name: "Compare knead with sort" }).click();
  await page.waitForURL((url) => url.pathname === "/compare");
  await page.getByRole("button", { name: "Remove step: knead" }).waitFor();
  await page.getByRole("button", { name: "Remove step: sort" }).waitFor();
  await openAfresh(page, `/profile/${profileId}`);
  await step().getByRole("button", { name: "Compare knead with another value" }).click();
  await step().getByRole("link", { name: "Compare knead with sort" }).click();
  await page.waitForURL((url) => url.searchParams.get("before_labels") === '{"step":"knead"}');
  await page.getByText("0 profiles").waitFor({ state: "detached" });
});

test("the graph is grouped by a label, and the timeline split by one", async () => {
  await openAfresh(page, `${path}?range=1h&bucket=5m`);
  await step().getByRole("button", { name: "Group graph" }).click();
  await page.waitForURL((url) => url.searchParams.get("by_label") === "step");
  await step().getByRole("button", { name: "Ungroup graph" }).waitFor();
  await openAfresh(page, `${path}?range=1h&bucket=5m&split_label=step`);
  await page.getByRole("combobox", { name: "Group by" }).getByText("By label step").waitFor();
  await page.getByText("No step", { exact: true }).first().waitFor();
});

test("a profile is filtered in its toolbar", async () => {
  await openAfresh(page, `/profile/${profileId}`);
  await filter().fill("step: knead");
  await page.getByRole("option", { name: "step: knead" }).click();
  await page.waitForURL((url) => labelsIn(url).step === "knead");
  await page.getByRole("button", { name: "Remove step: knead" }).click();
  await page.waitForURL((url) => labelsIn(url).step === undefined);
});

test("a profile has the same labels, on a phone too", async () => {
  await openAfresh(
    page,
    `/profile/${profileId}?labels=${encodeURIComponent(JSON.stringify({ shop: "north" }))}`,
  );
  await page.getByRole("button", { name: "Remove shop: north" }).waitFor();
  await page
    .getByRole("region", { name: "Label shop" })
    .getByRole("button", { name: /^north 100/ })
    .waitFor();
  const wide = page.viewportSize()!;
  await page.setViewportSize(narrow);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.setViewportSize(wide);
});

test.each([
  ["a wide screen", { width: 1440, height: 900 }],
  ["a phone", narrow],
])("typing a search moves nothing and covers no other control on %s", async (_, viewport) => {
  const usual = page.viewportSize()!;
  await page.setViewportSize(viewport);
  await openAfresh(page, `/profile/${profileId}`);
  await filter().waitFor();
  const toolbar = page.getByRole("toolbar", { name: "Flame graph" });
  const search = page.getByRole("combobox", { name: "Search functions and packages" });
  const transform = page.getByRole("button", { name: "Transform", exact: true });
  const exports = page.getByRole("button", { name: "Export", exact: true });
  const fixed = [page.getByRole("application"), search, filter(), transform, exports];
  const places = () => Promise.all(fixed.map((each) => each.boundingBox()));
  expect(await search.evaluate(placeholderOverflow)).toBeLessThanOrEqual(0);
  await search.focus();
  const before = await places();
  for (const [text, popup] of [
    ["main", page.getByRole("listbox", { name: "Functions" })],
    ["/[/", toolbar.getByText("An opening bracket [ is not closed.")],
  ] as const) {
    await search.fill(text);
    await popup.waitFor();
    const found = toolbar.getByRole("button", { name: "Next match" });
    await (text === "main" ? found : toolbar.getByText("not valid")).waitFor();
    expect(await places()).toEqual(before);
    if (viewport === narrow) continue;
    const popupBox = await popup.boundingBox();
    for (const button of [transform, exports])
      expect(areApart(popupBox!, (await button.boundingBox())!)).toBe(true);
  }
  await search.fill("");
  await page.setViewportSize(usual);
});

/** Pixels by which the placeholder is wider than its field. */
function placeholderOverflow(field: SVGElement | HTMLElement): number {
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  const context = document.createElement("canvas").getContext("2d")!;
  context.font = font;
  const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return context.measureText((field as HTMLInputElement).placeholder).width - room;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function areApart(a: Box, b: Box): boolean {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

test("two values are compared", async () => {
  const side = (value: string) => encodeURIComponent(JSON.stringify({ step: value }));
  await openAfresh(
    page,
    `/compare?service=bakery&type=cpu&${sameSides()}&before_labels=${side("knead")}&after_labels=${side("sort")}`,
  );
  await page.getByRole("button", { name: "Remove step: knead" }).waitFor();
  await page.getByRole("button", { name: "Remove step: sort" }).waitFor();
});

test("nothing failed in the browser", () => {
  expect(errors).toEqual([]);
});
