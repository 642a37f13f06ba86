// Runs every ring of tests and ends with the line `N passed, N failed`. Arguments go to vitest (file filters, -t).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { problemsIn, type Report, sumOf, type Tally, tally } from "./test-report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Run {
  readonly tally: Tally;
  /** Lines to print. */
  readonly problems: readonly string[];
}

/** Runs vitest and counts its tests. */
async function runTests(name: string, args: readonly string[]): Promise<Run> {
  const reportPath = `${root}.cache/${name}.json`;
  rmSync(reportPath, { force: true });
  const vitest = [`${root}node_modules/vitest/vitest.mjs`, "run", ...args];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  // Not the terminal itself: two runs that redraw its last lines would overwrite each other.
  const run = spawn(process.execPath, [...vitest, ...reporters], {
    cwd: root,
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: "1" }) },
  });
  run.stdout.pipe(process.stdout, { end: false });
  run.stderr.pipe(process.stderr, { end: false });
  const [exitCode] = await once(run, "close");
  const json = existsSync(reportPath) ? readFileSync(reportPath, "utf8") : '{ "testResults": [] }';
  const report: Report = JSON.parse(json);
  return { tally: tally(report, exitCode === 0), problems: problemsIn(report, root) };
}

mkdirSync(`${root}.cache`, { recursive: true });
const args = process.argv.slice(2);
// The tests of the packages mostly wait, for engines and time limits, and those of the browser mostly compute: at the same time
// they use all cores. Not one run of vitest, because it ends a worker, and with it the browser, where projects alternate.
const runs =
  args.length > 0
    ? [runTests("tests", args)]
    : ["packages", "e2e"].map((project) => runTests(`tests-${project}`, [`--project=${project}`]));
const ended = await Promise.all(runs);
for (const line of ended.flatMap((run) => run.problems)) process.stdout.write(`${line}\n`);
const result = sumOf(ended.map((run) => run.tally));
if (result.skipped > 0) process.stdout.write(`${result.skipped} skipped\n`);
process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
process.exitCode = result.failed === 0 && result.passed > 0 ? 0 : 1;
