import { gzipSync } from "node:zlib";
import {
  buildCallTree,
  decodePreview,
  encodeFlameGraph,
  flameGraphMediaType,
  formatPercent,
} from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, type StackTable, writeProfile } from "@flamekeep/profile";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

/** The middle of a frame at the left edge of the canvas. */
const leftFrame = (level: number) => ({ x: 5, y: 20 + 24 * level + 12 });

const searchBox = (page: Page) => page.getByRole("combobox", { name: "Search functions and packages" });
const searchStatus = (page: Page) => page.getByRole("toolbar", { name: "Flame graph" }).getByRole("status");

test("a large graph shows its widest frames, with zoom and details, while the others are decoded", async () => {
  const whole = buildCallTree(syntheticStacks({ stacks: 6_000, depth: 40, names: 3_000 }), 0);
  const meta = { profileId: "large", totalSamples: 1, durationMs: 1, profileHash: "" };
  const bytes = encodeFlameGraph(whole, meta);
  const preview = decodePreview(bytes)!.tree;
  const names = new Set(Array.from(preview.fn, (fn) => preview.functions.name[fn]));
  const narrow = whole.functions.name.find((name) => !names.has(name))!;
  const widest = whole.functions.name[whole.fn[1]!]!;

  const { page, errors, account } = await flamekeep.openSignedIn();
  const query = `service=checkout&type=cpu&started_at=${Date.now()}`;
  const { body } = await sendProfile(flamekeep.url, account.key, query, recordedCpuProfile().body);
  const decoder = Promise.withResolvers<void>();
  await page.route("**/flamegraph/*", (route) =>
    route.fulfill({ contentType: flameGraphMediaType, body: Buffer.from(bytes) }),
  );
  await page.route("**/decode.worker*", async (route) => {
    await decoder.promise;
    await route.continue();
  });
  await page.goto(`/profile/${String(body.profile_id)}`);

  const graph = page.getByRole("application");
  await graph.click({ position: leftFrame(1) });
  const zoomed = page.getByRole("navigation", { name: "Zoom" }).locator("[aria-current]");
  await expect.poll(() => zoomed.getAttribute("title")).toBe(widest);
  // A function that only the other frames have: no figure says that it has none, and none is of the widest frames alone.
  await searchBox(page).fill(narrow);
  const found = searchStatus(page);
  await found.filter({ hasText: "searching" }).waitFor();
  const selected = page.getByRole("group", { name: "Selected function" });
  await selected.filter({ hasText: "loading all frames" }).waitFor();
  expect(await page.getByRole("button", { name: "Export" }).isDisabled()).toBe(true);
  const views = page.getByRole("group", { name: "View" });
  await views.getByText("Table", { exact: true }).click();
  await page.getByRole("status", { name: "Loading all frames" }).waitFor();
  expect(await page.getByRole("grid", { name: "Functions" }).count()).toBe(0);

  decoder.resolve();
  await found.filter({ hasText: "in 1 function" }).waitFor();
  await page.getByRole("grid", { name: "Functions" }).waitFor();
  expect(await zoomed.getAttribute("title")).toBe(widest);
  expect(errors).toEqual([]);
});

/** Self values by function, and the value of the stacks through any function that matches, from the stacks alone. */
function truthOf({ frames, frame, start, values, length }: StackTable, text: string) {
  const self = new Map<string, number>();
  const sums = { whole: 0, matched: 0 };
  for (let stack = 0; stack < length; stack++) {
    const value = Number(values[0]![stack]);
    const names = Array.from(
      frame.subarray(start[stack], start[stack + 1]),
      (id) => frames.functionName[id]!,
    );
    self.set(names[0]!, (self.get(names[0]!) ?? 0) + value);
    sums.whole += value;
    if (names.some((name) => name.includes(text))) sums.matched += value;
  }
  const ranked = [...self].sort(([, a], [, b]) => b - a);
  return { first: ranked[0]!, share: formatPercent(sums.matched, sums.whole) };
}

test("the table and a search of a graph of many frames have the figures of all of them", async () => {
  const stacks = syntheticStacks({ stacks: 52_000, depth: 77, names: 8_000 });
  const text = "pkg77";
  const truth = truthOf(stacks, text);
  const cut = buildCallTree(stacks, 0, 16_384);
  expect(cut.elisions.length).toBeGreaterThan(0);

  const { page, errors, account } = await flamekeep.openSignedIn();
  const query = `service=checkout&type=cpu&started_at=${Date.now()}`;
  const facts = { timeNs: BigInt(Date.now()) * 1_000_000n, durationNs: 10_000_000_000n };
  const upload = gzipSync(writeProfile(profileOfStacks(stacks, facts)));
  const { body } = await sendProfile(flamekeep.url, account.key, query, upload);
  for (const path of [`profile/${String(body.profile_id)}`, "profiles/service/checkout/cpu"]) {
    await page.goto(`/${path}?pane=both`);
    const grid = page.getByRole("grid", { name: "Functions" });
    const first = grid.locator("tbody tr").first();
    await expect.poll(() => first.locator("[title]").first().getAttribute("title")).toBe(truth.first[0]);
    await searchBox(page).fill(text);
    await searchStatus(page).filter({ hasText: truth.share }).waitFor();
  }
  expect(errors).toEqual([]);
});
