import { expect, it } from "vitest";
import { ownScript } from "./start-worker.ts";

it("a worker starts with a script of this host only", () => {
  const own = (url: string) => ownScript(url, "https://flamekeep.example.com");
  expect(own("/assets/decode.worker-1.js")).toBe("/assets/decode.worker-1.js");
  expect(() => own("https://example.com/assets/decode.worker.js")).toThrow("not a script of this host");
  expect(() => own("data:text/javascript,postMessage(1)")).toThrow("not a script of this host");
});
