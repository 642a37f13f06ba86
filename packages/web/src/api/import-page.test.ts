import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { importPage } from "./import-page.ts";

let isUp = false;
let healthChecks = 0;

beforeEach(() => {
  vi.useFakeTimers();
  isUp = false;
  healthChecks = 0;
  vi.stubGlobal("fetch", async () => {
    healthChecks++;
    if (!isUp) throw new TypeError("Failed to fetch");
    return new Response("{}");
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("sends no health check when the module loads at once", async () => {
  expect(await importPage(async () => "page")).toBe("page");
  expect(healthChecks).toBe(0);
});

it("waits for a server that does not respond, and loads the module when it is back", async () => {
  let tries = 0;
  const loading = importPage(async () => {
    tries++;
    if (!isUp) throw new TypeError("Failed to fetch dynamically imported module");
    return "page";
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(1);
  isUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await loading).toBe("page");
  expect(tries).toBe(2);
});

it("fails when the server responds but does not have the module", async () => {
  isUp = true;
  const gone = async () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  await expect(importPage(gone)).rejects.toThrow("dynamically imported module");
});
