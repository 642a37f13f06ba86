import { buildCallTree, encodeFlameGraph, flameGraphMediaType } from "@flamekeep/flame";
import { stacksFrom } from "@flamekeep/flame/testing";
import type { StackTable } from "@flamekeep/profile";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openSentProfile } from "./harness/recorded-profile.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let path: string;

beforeAll(async () => {
  ({ page, errors, path } = await openSentProfile(flamekeep, recordedCpuProfile().body));
});

const nanoseconds = { type: "cpu", unit: "nanoseconds" };
const graph = () => page.getByRole("application");
const details = () => page.getByRole("group", { name: "Frame" });
const spoken = () => page.locator('p[aria-live="polite"]', { hasText: "level" });

/** Opens the page of a profile whose graph is another one: ingestion would cut the deepest stacks, and refuse profiles of nothing. */
async function open(stacks: StackTable): Promise<void> {
  const meta = { profileId: "p", totalSamples: 1, durationMs: 1000, profileHash: "h" };
  const body = Buffer.from(encodeFlameGraph(buildCallTree(stacks, 0), meta));
  await page.unrouteAll();
  await page.route(/\/flamegraph\/[0-9a-f]{32}/, (route) =>
    route.fulfill({ body, contentType: flameGraphMediaType }),
  );
  await page.goto(path);
}

/** Number of different colors in the middle of a row of the canvas, as it is scrolled. */
function coloursOfRow(row: number): Promise<number> {
  return graph().evaluate((element, at) => {
    const canvas = element.querySelector("canvas");
    const context = canvas?.getContext("2d");
    if (!canvas || !context) throw new Error("There is no canvas in the flame graph.");
    const ratio = canvas.width / canvas.clientWidth;
    const { data } = context.getImageData(0, Math.round((20 + 24 * at + 3) * ratio), canvas.width, 1);
    const colours = new Set<string>();
    for (let x = 0; x < data.length; x += 4) colours.add(`${data[x]},${data[x + 1]},${data[x + 2]}`);
    return colours.size;
  }, row);
}

describe("a graph", () => {
  test("of nothing says so", async () => {
    await open(stacksFrom([], nanoseconds));
    await page.getByText("This profile has no samples").waitFor();
  });

  test("of one frame is drawn, selected and zoomed", async () => {
    await open(stacksFrom([{ frames: ["main"], value: 5 }], nanoseconds));
    await graph()
      .and(page.getByLabel(/ of 2 frames/))
      .waitFor();
    await expect.poll(() => coloursOfRow(1)).toBeGreaterThan(1);
    await graph().hover({ position: { x: 100, y: 20 + 24 + 12 } });
    await details().getByTitle("main", { exact: true }).waitFor();
    await graph().press("ArrowDown");
    await graph().press("ArrowDown");
    await graph().press("Enter");
    await page.getByRole("button", { name: "Reset Zoom" }).waitFor();
  });

  test("60,000 frames deep is drawn to its last row", async () => {
    const frames = Array.from({ length: 60_000 }, (_, depth) => `f${depth % 7}`);
    await open(stacksFrom([{ frames, value: 4 }], nanoseconds));
    await graph()
      .and(page.getByLabel(/ of 60,001 frames/))
      .waitFor();
    await expect.poll(() => coloursOfRow(1)).toBeGreaterThan(1);
    await graph().evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await graph().hover({ position: { x: 200, y: 600 } });
    await details()
      .getByTitle(/^f[0-6]$/)
      .waitFor();
  });

  test("100,000 frames wide is drawn, and its frames can be found", async () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({
      frames: [`main.f${id}`],
      value: id === 70_000 ? 2_000 : 1,
    }));
    await open(stacksFrom(rows, nanoseconds));
    await graph()
      .and(page.getByLabel(/ of 100,001 frames/))
      .waitFor();
    await expect.poll(() => coloursOfRow(1)).toBeGreaterThan(1);
    const search = page.getByRole("combobox", { name: "Search functions and packages" });
    await search.fill("main.f70000");
    await search.press("Enter");
    await spoken().filter({ hasText: "main.f70000, " }).waitFor({ state: "attached" });
    await page.getByText(/in 1 function, 1 frame/).waitFor({ state: "attached" });
  });

  test("with negative values is drawn with what is positive, and says the sums", async () => {
    const rows = [
      { frames: ["main", "work"], value: 300 },
      { frames: ["main", "freed"], value: -100 },
    ];
    await open(stacksFrom(rows, nanoseconds));
    await graph().hover({ position: { x: 100, y: 20 + 24 * 2 + 12 } });
    await details().getByTitle("work", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    await page.getByRole("row", { name: /^freed −100 ns −25\.0%/ }).waitFor();
    await page.getByRole("button", { name: "Graph", exact: true }).click();
  });

  test("without symbols has the addresses", async () => {
    const rows = [
      { frames: ["app!0x4010a0", "libc.so.6!0x29d90"], value: 3 },
      { frames: ["app!0x4010a0", "app!0x401200"], value: 2 },
    ];
    await open(stacksFrom(rows, nanoseconds));
    await graph().hover({ position: { x: 100, y: 20 + 24 * 2 + 12 } });
    await details().getByTitle("libc.so.6!0x29d90", { exact: true }).waitFor();
    await page.keyboard.press("l");
    await page.getByRole("region", { name: "Legend" }).getByText("libc.so.6 60.0%").waitFor();
  });

  test("of any kind causes no errors", () => {
    expect(errors).toEqual([]);
  });
});
