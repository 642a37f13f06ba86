// Breaks lines of a change, one at a time, and reports those that no near test notices:
// `npm run mutate -- [--seed=N] [--count=N] [--minutes=N] [--tests=FOLDER,...] [files or folders]`. Without any, the files that differ
// from `main`. With `--tests`, those tests run instead of the nearest ones of each file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { changedFiles } from "./changed-files.ts";
import { isOfTests, nearestTests, root } from "./imports.ts";
import { type Mutation, mutationsOf } from "./mutations.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    count: { type: "string", default: "40" },
    minutes: { type: "string", default: "15" },
    tests: { type: "string", default: "" },
  },
});
const nearestMax = 4;
const baselineMsMax = 300_000;
const slackMs = 20_000;
const stopMsMax = 10_000;
const endsAt = performance.now() + Number(values.minutes) * 60_000;

interface Place {
  readonly file: string;
  readonly text: string;
  readonly mutation: Mutation;
}

interface Outcome {
  readonly isPassed: boolean;
  readonly ms: number;
}

const random = randomNumbers(Number(values.seed));
const files = (positionals.length > 0 ? positionals.flatMap(sourcesIn) : changedFiles()).filter(isMutated);
const places = files.flatMap((file) => {
  const text = readFileSync(root + file, "utf8");
  return mutationsOf(file, text).map((mutation) => ({ file, text, mutation }));
});
const sample = places
  .map((place) => ({ place, order: random() }))
  .toSorted((a, b) => a.order - b.order)
  .map(({ place }) => place)
  .slice(0, Number(values.count));
process.stdout.write(
  `seed ${values.seed}: ${sample.length} of ${places.length} mutations in ${files.length} files\n`,
);

const namedTests = values.tests.split(",").filter(Boolean).flatMap(sourcesIn).filter(isTest);
const baselines = new Map<string, Outcome>();
const counts = { killed: 0, survived: 0 };
for (const place of sample) {
  if (performance.now() > endsAt) {
    process.stdout.write("out of time\n");
    break;
  }
  const tests = namedTests.length > 0 ? namedTests : nearestTests(place.file).slice(0, nearestMax);
  const isKilled = tests.length > 0 && (await isNoticed(place, tests));
  counts[isKilled ? "killed" : "survived"]++;
  process.stdout.write(describe(place, isKilled, tests.length));
}
process.stdout.write(`${counts.killed} killed, ${counts.survived} survived\n`);
process.exitCode = counts.survived === 0 ? 0 : 1;

function sourcesIn(path: string): string[] {
  if (statSync(root + path).isFile()) return [path];
  return globSync(`${path.replace(/\/$/, "")}/**/*.{ts,tsx}`, { cwd: root });
}

function isTest(file: string): boolean {
  return file.includes(".test.");
}

function isMutated(file: string): boolean {
  return /^packages\/\w+\/src\/.*\.tsx?$/.test(file) && !isOfTests(file) && !file.includes("/assembly/");
}

/** Whether a test fails, or takes far longer, with the mutation. The file on disk is changed meanwhile: threads read it there. */
async function isNoticed({ file, text, mutation }: Place, tests: readonly string[]): Promise<boolean> {
  const key = tests.join(" ");
  const baseline = baselines.get(key) ?? (await run(tests, baselineMsMax));
  baselines.set(key, baseline);
  if (!baseline.isPassed) throw new Error(`these tests fail, or take minutes, without a mutation: ${key}`);
  const restore = () => writeFileSync(root + file, text);
  const stop = () => process.exit(1);
  process.once("exit", restore);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  try {
    writeFileSync(root + file, mutated(text, mutation));
    return !(await run(tests, 3 * baseline.ms + slackMs)).isPassed;
  } finally {
    restore();
    process.off("exit", restore);
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  }
}

async function run(tests: readonly string[], msMax: number): Promise<Outcome> {
  const startedAt = performance.now();
  const vitest = [`${root}node_modules/vitest/vitest.mjs`, "run", "--project=packages", "--bail=1"];
  const child = spawn(process.execPath, [...vitest, ...tests], {
    cwd: root,
    stdio: "ignore",
    detached: true,
  });
  // Vitest stops the databases that its workers started. A worker in an endless loop does not end by itself.
  const stop = () => void child.kill("SIGINT");
  process.once("exit", stop);
  const stopping = setTimeout(stop, msMax);
  const killing = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), msMax + stopMsMax);
  const [code] = await once(child, "close");
  clearTimeout(stopping);
  clearTimeout(killing);
  process.off("exit", stop);
  return { isPassed: code === 0, ms: performance.now() - startedAt };
}

function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** A line for what a test noticed, and two for what none did. */
function describe({ file, text, mutation }: Place, isKilled: boolean, testFiles: number): string {
  const lines = text.slice(0, mutation.start).split("\n");
  const at = `${file}:${lines.length}`;
  if (isKilled) return `killed ${at}\n`;
  const before = text.split("\n")[lines.length - 1]!.trim();
  const was = text.slice(mutation.start, mutation.end).replaceAll(/\s+/g, " ").slice(0, 80);
  return `SURVIVED ${at}: ${was} -> ${mutation.replacement} (${testFiles} test files)\n  ${before}\n`;
}

/** Mulberry32: numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
