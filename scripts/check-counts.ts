// Fails when the sources have more of what may only become less, and also when they have less: then the number here goes down.
import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { longFunctions } from "./long-functions.ts";

/** How often the sources switch a lint rule off. */
const suppressionsNow = 32;

const functionLinesMax = 60;
/** Functions that have more lines, JSX included. */
const longFunctionsNow: readonly string[] = [
  "benchIngestion",
  "createApp",
  "describeAlert",
  "FlameCanvas",
  "openContext",
  "ProfileBrowser",
  "ProfileGraph",
  "RowGrid",
  "SearchBox",
  "SelectedFunction",
  "SideCard",
  "Statistics",
  "TransformBar",
  "useFrameMenu",
  "useWorkspace",
  "ZoomPath",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = globSync("{packages,scripts,e2e,bench}/**/*.{ts,tsx,mjs,css}", {
  cwd: root,
  exclude: (path) => path === "node_modules" || path === "dist",
}).map((path) => ({ path, text: readFileSync(root + path, "utf8") }));

// Written in two parts, so that this line is not one.
const marker = new RegExp(`${"biome"}-ignore(-all|-start)? lint`, "g");
const suppressions = sources.reduce((sum, { text }) => sum + (text.match(marker)?.length ?? 0), 0);

const isOfTests = /\.test\.tsx?$|\/(?:testing|fixtures|harness)\//;
const code = sources.filter(({ path }) => !path.endsWith(".css") && !isOfTests.test(path));
const found = code.flatMap(({ path, text }) =>
  longFunctions(path, text, functionLinesMax).map((name) => ({ name, path })),
);

const here = "scripts/check-counts.ts";
const problems: string[] = [];
if (code.length < 500) problems.push(`only ${code.length} files of code under ${root}`);
if (suppressions !== suppressionsNow) {
  const advice = suppressions < suppressionsNow ? `lower it in ${here}` : "mend what lint finds";
  problems.push(`${suppressions} lint suppressions, ${suppressionsNow} expected: ${advice}`);
}
for (const { name, path } of found) {
  if (!longFunctionsNow.includes(name))
    problems.push(`${path}: ${name} has more than ${functionLinesMax} lines: split it`);
}
for (const name of longFunctionsNow) {
  if (!found.some((each) => each.name === name))
    problems.push(`${name} is no longer too long: take it off the list in ${here}`);
}

process.stdout.write(`${suppressions} lint suppressions, ${found.length} long functions\n`);
for (const line of problems) process.stdout.write(`${line}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
