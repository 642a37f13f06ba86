import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { longFiles } from "./longest-first.ts";

test("the files that start first exist", () => {
  const missing = longFiles.filter(
    (file) => !existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))),
  );
  expect(longFiles.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});
