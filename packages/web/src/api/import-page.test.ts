import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { importPage } from "./import-page.ts";

let isThere = false;
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  isThere = false;
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    if (!isThere) throw new TypeError("Failed to fetch");
    return new Response("{}");
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("asks nothing where the module comes at once", async () => {
  expect(await importPage(async () => "page")).toBe("page");
  expect(asked).toBe(0);
});

it("waits for a server that is away, and loads the module when it is back", async () => {
  let tries = 0;
  const loading = importPage(async () => {
    tries++;
    if (!isThere) throw new TypeError("Failed to fetch dynamically imported module");
    return "page";
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(1);
  isThere = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await loading).toBe("page");
  expect(tries).toBe(2);
});

it("fails where the server is there and the module is not", async () => {
  isThere = true;
  const gone = async () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  await expect(importPage(gone)).rejects.toThrow("dynamically imported module");
});
