import { expect, it } from "vitest";
import { loadedFor } from "#testing/loaded-files.ts";

const loadedBy = (file: string) => loadedFor(new URL(file, import.meta.url));
const isOfGraphs = (url: string) =>
  url.includes("/packages/flame/src/") && !url.endsWith("/packages/flame/src/text/format-value.ts");

it("the tools, which run in the main thread, cannot decode a graph: no file that can is loaded", async () => {
  const loaded = await loadedBy("./server.ts");
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter(isOfGraphs)).toEqual([]);
});

it("their tasks, which run in the decoding thread, load no schemas", async () => {
  const loaded = await loadedBy("./text/tasks.ts");
  expect(loaded.filter(isOfGraphs).length).toBeGreaterThan(10);
  expect(loaded.filter((url) => /\/node_modules\/zod\/|\/contract\/src\/index\.ts$/.test(url))).toEqual([]);
});
