import { expect, test } from "vitest";
import { findCitations } from "./doc-citations.ts";
import { settingsAtOdds } from "./documented-settings.ts";

test("paths in code spans, relative links and npm scripts are found, with their lines", () => {
  const markdown =
    "See `packages/web/` and [why](docs/why.md#part).\n`npm run verify`, not [this](https://example.com) or `a/b`.";
  expect(findCitations(markdown)).toEqual([
    { kind: "path", name: "packages/web/", line: 1 },
    { kind: "link", name: "docs/why.md", line: 1 },
    { kind: "script", name: "verify", line: 2 },
  ]);
});

test("a setting that only one side knows is named", () => {
  const config = "  PORT: whole(),\n  HOST: text(),\n";
  expect(settingsAtOdds("| `PORT` | 1 |\n| `HOST` | 2 |", config)).toEqual([]);
  expect(settingsAtOdds("| `PORT` | 1 |\n| `COLOUR` | 2 |", config)).toEqual([
    "README.md says nothing about the setting HOST",
    "README.md describes COLOUR, which is no setting",
  ]);
  expect(settingsAtOdds("", "")).toHaveLength(1);
});
