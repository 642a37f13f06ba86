import { buildCallTree, decodePreview, encodeFlameGraph, flameGraphMediaType } from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { expect, test } from "vitest";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

/** The middle of a frame at the left edge of the canvas. */
const leftFrame = (level: number) => ({ x: 5, y: 20 + 24 * level + 12 });

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
  const search = page.getByRole("combobox", { name: "Search functions and packages" });
  await search.fill(narrow);
  const found = page.getByRole("toolbar", { name: "Flame graph" }).getByRole("status");
  await found.filter({ hasText: "No matches" }).waitFor();

  decoder.resolve();
  await found.filter({ hasText: "in 1 function" }).waitFor();
  expect(await zoomed.getAttribute("title")).toBe(widest);
  expect(errors).toEqual([]);
});
