import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { atLeast, atMost, type BenchResult, type Measurement } from "./result.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs the tests that `npm test` shortens as long as they were meant: all starts, days, rounds and bodies. */
export async function benchFullLength(): Promise<BenchResult> {
  const files = globSync("{packages/*/src,e2e,bench,scripts}/**/*.test.{ts,tsx}", { cwd: root }).filter(
    (file) => readFileSync(root + file, "utf8").includes("testing/full-length"),
  );
  return {
    name: "full-length",
    input: `${files.length} test files at their full length`,
    measurements: await runTests("full length", files, { FULL_LENGTH: "on" }),
  };
}

/** Runs test files with more settings, and holds that all of their tests pass. */
export async function runTests(
  what: string,
  files: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Measurement[]> {
  const run = spawn(process.execPath, ["scripts/test.ts", ...files], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await text(run.stdout);
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(output);
  if (counts === null || counts[2] !== "0") process.stderr.write(output);
  return [
    { what: `${what}, passed`, value: Number(counts?.[1] ?? 0), unit: "tests", bar: atLeast(1, true) },
    { what: `${what}, failed`, value: Number(counts?.[2] ?? 1), unit: "tests", bar: atMost(0, true) },
  ];
}
