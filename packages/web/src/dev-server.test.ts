import { loadConfigFromFile } from "vite";
import { afterEach, expect, it, vi } from "vitest";

const file = new URL("../vite.config.ts", import.meta.url).pathname;
afterEach(() => vi.unstubAllEnvs());

it.each([
  ["4147", "http://127.0.0.1:4147"],
  ["", "http://127.0.0.1:4040"],
])("with PORT=%s the dev server proxies to %s", async (port, url) => {
  vi.stubEnv("PORT", port);
  const loaded = await loadConfigFromFile({ command: "serve", mode: "development" }, file);
  const targets = Object.values(loaded?.config.server?.proxy ?? {});
  expect(targets.length).toBeGreaterThan(0);
  expect(new Set(targets)).toEqual(new Set([url]));
});
