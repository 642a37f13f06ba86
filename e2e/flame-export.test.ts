import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { buildCallTree, encodeFlameGraph, flameGraphMediaType, functionNames } from "@flamekeep/flame";
import { stacksFrom, syntheticStacks } from "@flamekeep/flame/testing";
import {
  defaultLimits,
  profileOfStacks,
  readProfile,
  type StackTable,
  writeProfile,
} from "@flamekeep/profile";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAfresh, visit, type WatchedPage } from "./harness/browser.ts";
import { type FlameFrame, framesOf, pointOn } from "./harness/flame-frames.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const { body: recording, truth } = recordedCpuProfile();
const total = truth.totals["cpu/nanoseconds"] ?? 0;
const hasGo = spawnSync("go", ["version"]).status === 0;
const hostileName = `</script><img src=x onerror="document.title='hit'">&'`;
/** Two have the same name without its path; the last one does not fit its frame. */
const names = [
  "main.main",
  "shop/internal/pricing.(*Book).Quote",
  "shop/internal/json.Marshal",
  "encoding/json.Marshal",
  "shop/internal/pricing.hashEachLineOfTheOrderAgain",
] as const;

/** A PNG picture has twice the size of the graph. */
const headingPx = 56;
/** More than a canvas of twice the size has room for. */
const deepFrames = 900;

const flamekeep = useFlamekeep();
let watched: WatchedPage;
let page: Page;
let folder: string;
let recorded: string;
let hostile: string;
let named: string;
let large: string;
let largeAfter: string;
let deep: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flame-export-"));
  const opened = await flamekeep.openSignedIn();
  watched = opened;
  page = opened.page;
  const send = async (body: Buffer, more = "") => {
    const query = `service=checkout&type=cpu&started_at=${Date.now()}${more}`;
    return String((await sendProfile(flamekeep.url, opened.account.key, query, body)).body.profile_id);
  };
  recorded = await send(recording, "&tag.version=1.4.2");
  const rows = [
    { frames: ["main.main", hostileName], value: 30 },
    { frames: ["main.main", "main.gc"], value: 20 },
  ];
  const encoded = (stacks: StackTable) => gzipSync(writeProfile(profileOfStacks(stacks)));
  hostile = await send(encoded(stacksFrom(rows, { type: "cpu", unit: "nanoseconds" })));
  const [main, quote, own, library, narrowest] = names;
  const stacks = [
    { frames: [main, quote, own], value: 46 },
    { frames: [main, quote, library], value: 46 },
    { frames: [main, quote, narrowest], value: 8 },
  ];
  named = await send(encoded(stacksFrom(stacks, { type: "cpu", unit: "nanoseconds" })));
  const many = syntheticStacks({ stacks: 12_000, depth: 40, names: 3000 });
  large = await send(encoded(many));
  const values = Float64Array.from(
    { length: many.length },
    (_, stack) => Number(many.values[0]![stack]) * (1 + (stack % 7)),
  );
  largeAfter = await send(encoded({ ...many, values: [values] }));
  const recursion = Array.from({ length: deepFrames }, (_, level) => `main.f${level}`);
  deep = await send(encoded(stacksFrom([{ frames: recursion, value: 5 }])));
  await visit(page, "/dashboard");
});
afterAll(() => rmSync(folder, { recursive: true }));

const graph = () => page.getByRole("application").first();
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

async function open(path: string): Promise<void> {
  await openAfresh(page, path);
  await graph().waitFor();
}

function offlineContext(): Promise<BrowserContext> {
  return page.context().browser()!.newContext({ offline: true });
}

/** Chooses an export and returns the file. */
async function exported(label: string): Promise<{ name: string; path: string }> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: label, exact: true }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return { name: download.suggestedFilename(), path };
}

/** A wide frame some levels down. */
async function deepFrame(): Promise<FlameFrame> {
  const frame = (await framesOf(page, recorded)).find(({ level, width }) => level === 4 && width > 0.1);
  if (frame === undefined) throw new Error("The recording has no wide frame four levels down.");
  return frame;
}

/** The shares of dark and of white pixels in the first rows: those of a heading are text on white. */
function inkOf(png: Buffer, rows: number): Promise<{ dark: number; light: number }> {
  return page.evaluate(
    async ([base64, height]) => {
      const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(image.width, height).getContext("2d")!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, height);
      const sums = Array.from({ length: data.length / 4 }, (_, pixel) =>
        data.subarray(4 * pixel, 4 * pixel + 3).reduce((sum, value) => sum + value, 0),
      );
      const share = (is: (sum: number) => boolean) => sums.filter(is).length / sums.length;
      return { dark: share((sum) => sum < 300), light: share((sum) => sum > 700) };
    },
    [png.toString("base64"), rows] as const,
  );
}

const foldedTotal = (text: string) =>
  text
    .trim()
    .split("\n")
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);

describe("exports of a flame graph", () => {
  test("pictures are named after the profile; SVG is well-formed", async () => {
    await open(`/profile/${recorded}`);
    const svg = await exported("SVG picture");
    expect(svg.name).toBe(`${recorded}.svg`);
    const context = await offlineContext();
    const alone = await context.newPage();
    await alone.goto(`file://${svg.path}`);
    const found = await alone.evaluate(() => [
      document.documentElement.tagName,
      document.querySelectorAll("parsererror").length,
      document.querySelectorAll("rect").length > 50,
    ]);
    expect(found).toEqual(["svg", 0, true]);
    await context.close();
    const png = await readFile((await exported("PNG picture")).path);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const { dark, light } = await inkOf(png, headingPx);
    expect(dark).toBeGreaterThan(0.002);
    expect(light).toBeGreaterThan(0.9);
  });

  test("a PNG picture of a deep graph has all rows, as wide as high", async () => {
    await open(`/profile/${deep}`);
    const png = await readFile((await exported("PNG picture")).path);
    const [widthPx, heightPx] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    // 1600 px are the width of the graph, 24 px a row of it.
    expect(heightPx / widthPx).toBeCloseTo((deepFrames * 24) / 1600, 0);
  });

  test("the tooltips of a compared SVG picture have the values of both sides", async () => {
    await open(`/compare?before_profile=${large}&after_profile=${largeAfter}&mode=relative`);
    const svg = await readFile((await exported("SVG picture")).path, "utf8");
    expect(svg).toContain("<title>root: 100% before, 100% after, same</title>");
  });

  test.skipIf(!hasGo)("folded stacks, speedscope and pprof have the profile's total", async () => {
    await open(`/profile/${recorded}`);
    expect(foldedTotal(await readFile((await exported("Folded stacks")).path, "utf8"))).toBe(total);
    const speedscope = JSON.parse(await readFile((await exported("speedscope")).path, "utf8"));
    expect(speedscope.profiles[0].endValue).toBe(total);
    expect(goTotal((await exported("pprof of this view")).path)).toBe(total);
  });

  test.skipIf(!hasGo)("pprof files have the functions that were sent, of any view", async () => {
    const sent = functionsIn(recording);
    for (const search of ["", "?generics=instantiation", "?lines=1"]) {
      await open(`/profile/${recorded}${search}`);
      const functions = functionsIn(await readFile((await exported("pprof of this view")).path));
      expect([...functions].filter((name) => !sent.has(name))).toEqual([]);
      expect([...functions].filter((name) => name.includes("[go.shape."))).not.toEqual([]);
    }
    const both = `before_profile=${recorded}&after_profile=${recorded}`;
    await open(`/compare?${both}&generics=instantiation`);
    const compared = functionsIn(await readFile((await exported("pprof of this view")).path));
    expect([...compared].filter((name) => !sent.has(name))).toEqual([]);
    expect(compared.size).toBeGreaterThan(50);
  });

  test.skipIf(!hasGo)("those of a zoomed, an inverted and a sandwiched view have its total", async () => {
    const frame = await deepFrame();
    await open(`/profile/${recorded}`);
    await graph().click({ position: await pointOn(page, frame) });
    await expect.poll(() => parameter("zoom")).not.toBeNull();
    const zoomed = await readFile((await exported("Folded stacks")).path, "utf8");
    expect(foldedTotal(zoomed)).toBe(frame.total);
    expect(zoomed.split("\n")[0]!.split(";").length).toBeGreaterThan(frame.level - 1);
    await open(`/profile/${recorded}?transforms=invert`);
    expect(goTotal((await exported("pprof of this view")).path)).toBe(total);
    await open(`/profile/${recorded}?transforms=${encodeURIComponent(`sandwich:${frame.name}`)}`);
    const sum = (await framesOf(page, recorded))
      .filter(({ name, parent }) => name === frame.name && !callersOf(parent).includes(name))
      .reduce((all, { total: value }) => all + value, 0);
    expect(goTotal((await exported("pprof of this view")).path)).toBe(sum);
    expect(await readFile((await exported("SVG picture")).path, "utf8")).toContain("<svg");
  });

  test("the HTML page zooms and searches without a network, and hostile names stay text", async () => {
    await open(`/profile/${hostile}`);
    const file = await exported("HTML page, interactive");
    const context = await offlineContext();
    const alone = await context.newPage();
    const problems: string[] = [];
    alone.on("console", (message) => problems.push(message.text()));
    alone.on("pageerror", (error) => problems.push(error.message));
    alone.on("request", (request) => request.url().startsWith("file:") || problems.push(request.url()));
    await alone.goto(`file://${file.path}`);
    const canvas = alone.getByRole("application");
    await canvas.waitFor();
    const details = alone.locator("output");
    await canvas.hover({ position: { x: 20, y: 2 * 24 + 12 } });
    await details.filter({ hasText: hostileName }).waitFor();
    await canvas.click({ position: { x: 20, y: 2 * 24 + 12 } });
    await details.filter({ hasText: "(60.0%)" }).waitFor();
    // The second click is on the frame that fills the width by now: one key leads back.
    await canvas.click({ position: { x: 20, y: 2 * 24 + 12 } });
    await alone.keyboard.press("Backspace");
    await details.filter({ hasText: "(100.0%)" }).waitFor();
    expect(await canvas.getAttribute("aria-label")).toMatch(/^Flame graph: 4 frames\./u);
    await alone.getByRole("searchbox").fill("root");
    await alone.getByText("0 functions, 0.0% of the total").waitFor();
    await alone.getByRole("searchbox").fill("gc");
    await alone.getByText("1 function, 40.0% of the total").waitFor();
    await alone.getByRole("searchbox").fill("gc | onerror");
    await alone.getByText("2 functions, 100.0% of the total").waitFor();
    await alone.keyboard.press("Escape");
    await details.filter({ hasText: "(100.0%)" }).waitFor();
    expect(await alone.locator("img").count()).toBe(0);
    // The time is written as in the header of the page.
    const heading = await alone.getByRole("heading").textContent();
    expect(heading).toMatch(/^checkout · CPU · \w{3} \d{1,2}, \d{4}, \d\d:\d\d:\d\d \S+$/);
    await page.getByText(heading!.split(" · ")[2]!).first().waitFor();
    await alone.getByText(`exported from Flamekeep as ${hostile}.`).waitFor();
    expect([await alone.title(), problems]).toEqual([heading, []]);
    await context.close();
  });

  test("the HTML page names functions as the app does, and keeps the end of a name that does not fit", async () => {
    await open(`/profile/${named}`);
    const file = await exported("HTML page, interactive");
    const context = await offlineContext();
    const alone = await context.newPage();
    await alone.addInitScript(() => {
      const drawn: string[] = [];
      Object.assign(globalThis, { drawn });
      CanvasRenderingContext2D.prototype.fillText = (text) => void drawn.push(text);
    });
    await alone.goto(`file://${file.path}`);
    await alone.getByRole("application").waitFor();
    const drawn = new Set(
      await alone.evaluate(() => (globalThis as unknown as { drawn: readonly string[] }).drawn),
    );
    const name = ["root", ...names];
    const labels = functionNames({ name, file: name.map(() => ""), startLine: new Int32Array(name.length) });
    expect(labels).toContain("pricing.(*Book).Quote");
    expect(labels).toContain("encoding/json.Marshal");
    const [whole, cut] = [labels.slice(0, -1), labels.at(-1)!];
    expect(whole.filter((label) => !drawn.delete(label))).toEqual([]);
    const [rest] = drawn;
    expect(drawn.size).toBe(1);
    expect(rest).toMatch(/^….{2,}$/u);
    expect(cut.endsWith(rest!.slice(1))).toBe(true);
    await context.close();
  });

  test("the HTML page is used by keyboard: arrows select, Enter zooms, Escape and Backspace go back", async () => {
    await open(`/profile/${hostile}`);
    const file = await exported("HTML page, interactive");
    const context = await offlineContext();
    const alone = await context.newPage();
    await alone.goto(`file://${file.path}`);
    const canvas = alone.getByRole("application");
    await canvas.waitFor();
    const details = alone.locator("output");
    const picture = () => canvas.evaluate((each: HTMLCanvasElement) => each.toDataURL());
    const unfocused = await picture();
    for (let at = 0; at < 5 && !(await canvas.evaluate((each) => each === document.activeElement)); at++)
      await alone.keyboard.press("Tab");
    const focused = await picture();
    expect(focused).not.toBe(unfocused);
    for (const key of ["ArrowDown", "ArrowDown"]) await alone.keyboard.press(key);
    await details.filter({ hasText: hostileName }).filter({ hasText: "(60.0%)" }).waitFor();
    const selected = await picture();
    expect(selected).not.toBe(focused);
    await alone.keyboard.press("ArrowRight");
    await details.filter({ hasText: "(40.0%)" }).waitFor();
    await alone.keyboard.press("ArrowLeft");
    await details.filter({ hasText: "(60.0%)" }).waitFor();
    for (const back of ["Escape", "Backspace"]) {
      await alone.keyboard.press("Enter");
      await expect.poll(picture).not.toBe(selected);
      await alone.keyboard.press(back);
      await details.filter({ hasText: "(100.0%)" }).waitFor();
      expect(await picture()).toBe(focused);
      for (const key of ["ArrowDown", "ArrowDown"]) await alone.keyboard.press(key);
      expect(await picture()).toBe(selected);
    }
    await alone.keyboard.press("ArrowUp");
    await details.filter({ hasText: "(100.0%)" }).waitFor();
    await context.close();
  });
});

describe("frames that the server left out", () => {
  test("are none in the app, which reads all frames", async () => {
    const parts: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("root=")) parts.push(request.url());
    });
    for (const address of [
      `/profile/${large}`,
      `/compare?before_profile=${large}&after_profile=${largeAfter}`,
    ]) {
      await open(address);
      await graph().focus();
      for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
      await expect.poll(() => parameter("zoom")).not.toBeNull();
      expect(await page.getByText(/small frames left out/).count()).toBe(0);
    }
    expect(parts).toEqual([]);
  });
});

describe("a graph that is too large to be read at once", () => {
  test("is read and transformed by workers, which the page's policy lets start", async () => {
    const tree = buildCallTree(syntheticStacks({ stacks: 40_000, depth: 60, names: 20_000 }), 0);
    const meta = { profileId: recorded, totalSamples: 40_000, durationMs: 1000, profileHash: "" };
    const body = Buffer.from(encodeFlameGraph(tree, meta));
    const workers: string[] = [];
    page.on("worker", (worker) => workers.push(worker.url()));
    await page.route("**/flamegraph/*", (route) => route.fulfill({ contentType: flameGraphMediaType, body }));
    await page.goto(`/profile/${recorded}?transforms=invert`);
    await page
      .getByText(/^Inverted/)
      .first()
      .waitFor();
    await expect
      .poll(() => workers.map((url) => /(decode|transform)\.worker/.exec(url)?.[1]))
      .toEqual(["decode", "transform"]);
    await page.unroute("**/flamegraph/*");
  });
});

describe("the source of a frame", () => {
  test("opens at its host once an admin has set its address; frames can be lines", async () => {
    await page.goto("/settings?tab=data");
    await page.getByRole("button", { name: "Source of checkout" }).click();
    const pattern = "https://git.example.com/{version}/{file}#L{line}";
    await page.getByLabel("Address of a line").fill(pattern);
    await page.getByRole("button", { name: "Save source link" }).click();
    await page.getByText("Frames of checkout open their source").waitFor();
    await open(`/profile/${recorded}`);
    const frame = await deepFrame();
    await graph().hover({ position: await pointOn(page, frame) });
    const link = page.getByRole("group", { name: "Frame" }).getByRole("link", { name: "Open source" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/git\.example\.com\/1\.4\.2\/.+#L\d+$/);
    expect(await link.getAttribute("rel")).toContain("noopener");
    await page.getByRole("button", { name: "Transform", exact: true }).click();
    await page.getByRole("menuitem", { name: "One frame per line" }).click();
    await expect.poll(() => parameter("lines")).toBe("1");
    await graph().hover({ position: { x: 20, y: 20 + 24 + 12 } });
    await page.getByRole("group", { name: "Frame" }).getByTitle(/:\d+$/).waitFor();
  });

  test("no errors occurred", () => {
    expect(watched.errors).toEqual([]);
  });
});

function callersOf(frame: FlameFrame | null): string[] {
  return frame === null ? [] : [frame.name, ...callersOf(frame.parent)];
}

function functionsIn(file: Buffer): ReadonlySet<string> {
  const read = readProfile(gunzipSync(file), defaultLimits);
  if (!read.ok) throw new Error(read.error.message);
  const { functions, strings } = read.profile;
  return new Set(Array.from(functions.name, (name) => strings[name]!));
}

/** The total that `go tool pprof` reads. */
function goTotal(path: string): number {
  const args = ["tool", "pprof", "-symbolize=none", "-top", "-nodecount=1", "-unit=ns", path];
  const { stdout, status, stderr, error } = spawnSync("go", args, { encoding: "utf8" });
  if (error !== undefined) throw error;
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return Number(/of (\d+)ns total/.exec(stdout)?.[1]);
}
