import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { missingProofs, provenRows } from "./coverage.ts";
import { findCitations, findGoneSources } from "./doc-citations.ts";

test("paths in code spans, relative links and npm scripts are found, with their lines", () => {
  const markdown =
    "See `packages/web/` and [why](docs/why.md#part).\n`npm run verify`, not [this](https://example.com) or `a/b`.";
  expect(findCitations(markdown)).toEqual([
    { kind: "path", name: "packages/web/", line: 1 },
    { kind: "link", name: "docs/why.md", line: 1 },
    { kind: "script", name: "verify", line: 2 },
  ]);
});

test("files and folders that a README of the sources names have to be there", () => {
  const markdown =
    "```\njob.ts (gone.ts)\n```\n| `parts/` | `parts/one.test.ts`, `other/one.ts` |\n| `old/` | `*.ts`, features/NAME/page.ts |";
  const gone = findGoneSources(markdown, ["packages/web/src/job.ts", "packages/web/src/parts/one.test.ts"]);
  expect(gone.map(({ name, line }) => `${line}: ${name}`)).toEqual([
    "2: gone.ts",
    "4: other/one.ts",
    "5: old/",
  ]);
});

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => (existsSync(root + path) ? readFileSync(root + path, "utf8") : undefined);

test("the guide names the setting of every limit, and no other", () => {
  const environment = read("packages/server/src/context/settings.ts") ?? "";
  const settings = [...environment.matchAll(/^ {2}((?:INGEST|ORG)_\w+):/gm)].map((match) => match[1]);
  const named = (read("docs/guide/limits.md") ?? "").match(/\b(?:INGEST|ORG)_[A-Z_]+/g);
  expect(settings.length).toBeGreaterThan(10);
  expect([...new Set(named)].toSorted()).toEqual(settings.toSorted());
});

test("every part, text and constant of the specification is proven by a test that exists", () => {
  const rows = provenRows(readFileSync(`${root}docs/specification.md`, "utf8"));
  expect(rows.length).toBeGreaterThan(80);
  expect(missingProofs(rows, read)).toEqual([]);
});

test("a proof without its file, its title or its text is named", () => {
  const rows = provenRows(
    [
      "| text | proof |",
      "|---|---|",
      "| 'Here' | `a.test.ts` |",
      "| 'Gone' | `a.test.ts` |",
      '| a part | `a.test.ts`: "a title", "no title" |',
      "| a part | `b.test.ts` |",
      "| a part | nothing |",
      "",
      "| other | table |",
    ].join("\n"),
  );
  expect(missingProofs(rows, (path) => (path === "a.test.ts" ? "Here is a title" : undefined))).toEqual([
    'line 4: a.test.ts has no "Gone"',
    'line 5: a.test.ts has no "no title"',
    "line 6: b.test.ts does not exist",
    "line 7 names no test",
  ]);
});
