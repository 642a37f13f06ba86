import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Tokens of each rule, as `name: value`. */
function tokensOf(css: string): string[][] {
  return [...css.matchAll(/\{([^{}]*)\}/g)].map(([, body = ""]) =>
    body
      .split(";")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("--")),
  );
}

it("draws the outline of a page in the colours of the app, light and dark", () => {
  const [light = [], dark = []] = tokensOf(textOf("../tokens.css"));
  const [outlineLight = [], outlineDark = []] = tokensOf(textOf("../../public/start.css"));
  expect(outlineLight.length).toBeGreaterThan(3);
  expect(outlineDark).toHaveLength(outlineLight.length);
  expect(light).toEqual(expect.arrayContaining(outlineLight));
  expect(dark).toEqual(expect.arrayContaining(outlineDark));
});

it("has an element in index.html for each outline that before-app.js chooses", () => {
  const chosen = [...textOf("../../public/before-app.js").matchAll(/"(landing|app|account)"/g)].map(
    ([, n]) => n,
  );
  expect(new Set(chosen)).toEqual(new Set(["landing", "app", "account"]));
  for (const name of chosen) {
    expect(textOf("../../index.html")).toContain(`class="start-${name}"`);
    expect(textOf("../../public/start.css")).toContain(`[data-start="${name}"] #start > .start-${name}`);
  }
});
