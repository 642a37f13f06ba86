// Runs what the files that differ from `main` are likely to break, in about a minute: the quick checks, then the nearest tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { changedFiles } from "./changed-files.ts";
import { isOfTests, nearestTests, root } from "./imports.ts";

/** The sum over all changes. `npm test` runs the others. */
const testFilesMax = 40;
/** They read the sources themselves. */
const sourceTests = ["scripts/boundaries.test.ts", "scripts/regular-expressions.test.ts"];

const changed = changedFiles();
const tests = changed.filter((path) => /\.test\.tsx?$/.test(path) && !path.startsWith("e2e/"));
const rankedBySource = changed.filter((path) => !isOfTests(path)).map(nearestTests);
// The nearest of every change first, then the second nearest.
const longest = Math.max(0, ...rankedBySource.map(({ length }) => length));
for (let rank = 0; rank < longest; rank++)
  tests.push(...rankedBySource.flatMap((ranked) => ranked[rank] ?? []));
const near = [...new Set(tests)];
const chosen = near.slice(0, testFilesMax);

process.stdout.write(`${changed.length} changed files, ${chosen.length} of ${near.length} near test files\n`);
const verified = await run(`${root}scripts/verify.ts`);
const vitest = [`${root}node_modules/vitest/vitest.mjs`, "run", "--project=packages"];
const tested = await run(...vitest, ...sourceTests, ...chosen);
process.exitCode = verified && tested ? 0 : 1;

async function run(...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "close");
  return code === 0;
}
