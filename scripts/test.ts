// Runs every ring of tests and ends with the line `N passed, N failed`. Arguments go to vitest (file filters, -t).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Report, tally } from "./test-report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const reportPath = `${root}.cache/tests.json`;

mkdirSync(`${root}.cache`, { recursive: true });
rmSync(reportPath, { force: true });
const vitest = [`${root}node_modules/vitest/vitest.mjs`, "run", ...process.argv.slice(2)];
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
const { status } = spawnSync(process.execPath, [...vitest, ...reporters], { cwd: root, stdio: "inherit" });

const report: Report = existsSync(reportPath)
  ? JSON.parse(readFileSync(reportPath, "utf8"))
  : { testResults: [] };
const result = tally(report, status === 0);
if (result.skipped > 0) process.stdout.write(`${result.skipped} skipped\n`);
process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
process.exitCode = result.failed === 0 && result.passed > 0 ? 0 : 1;
