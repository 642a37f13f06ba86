import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { longFiles, placeOf } from "./longest-first.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

test("the files that start first exist", () => {
  const missing = longFiles.filter(
    (file) => !existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))),
  );
  expect(longFiles.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test("files that need a DOM come last, so that they end no worker with an engine", () => {
  const files = globSync("packages/*/src/**/*.test.{ts,tsx}", { cwd: root });
  const sources = files.map((file) => [file, readFileSync(root + file, "utf8")] as const);
  const withDom = sources.filter(([, source]) => source.includes("environment happy-dom"));
  expect(withDom.length).toBeGreaterThan(10);
  const [long, usual] = [placeOf(root + longFiles[0], ""), placeOf(`${root}x.test.ts`, "")];
  expect(long).toBeLessThan(usual);
  for (const [file, source] of withDom) expect(placeOf(root + file, source), file).toBeGreaterThan(usual);
});
