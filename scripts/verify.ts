// Every check that takes seconds, side by side: types, format and lint, dead code, paths named in the docs.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Check {
  readonly name: string;
  readonly args: readonly string[];
  readonly fix: string;
}

const modules = (path: string) => `${root}node_modules/${path}`;

/** Each checker of types reads what all use again. Four, as usual, take half as much CPU time more than one. */
const checkers = availableParallelism() < 4 ? ["--checkers", "1"] : [];

const checks: readonly Check[] = [
  {
    name: "types",
    args: [modules("typescript/bin/tsc"), "-b", ...checkers],
    fix: "mend what the compiler names",
  },
  {
    name: "format and lint",
    args: [modules("@biomejs/biome/bin/biome"), "check", "."],
    fix: "npm run format",
  },
  { name: "dead code", args: [modules("knip/bin/knip.js")], fix: "remove what knip names, or export it" },
  {
    name: "wording",
    args: [`${root}scripts/check-wording.ts`],
    fix: "use the wording that is proposed below each line",
  },
  { name: "docs", args: [`${root}scripts/check-docs.ts`], fix: "correct the path in the document" },
  {
    name: "counts",
    args: [`${root}scripts/check-counts.ts`],
    fix: "what may only become less became more, or its number can go down",
  },
];

interface Outcome extends Check {
  readonly isPassed: boolean;
  readonly output: string;
  readonly ms: number;
}

function run(check: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, check.args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const output = Buffer.concat(chunks).toString().trim();
      resolve({ ...check, isPassed: code === 0, output, ms: performance.now() - startedAt });
    });
  });
}

/** With an older TypeScript installed as well, `tsc` can silently be the older one. */
function checkCompilerVersion(): Outcome {
  const { version } = JSON.parse(readFileSync(modules("typescript/package.json"), "utf8"));
  const isPassed = String(version).startsWith("7.");
  const output = isPassed ? "" : `node_modules/typescript is ${version}, expected 7.x`;
  return { name: "compiler is TypeScript 7", args: [], fix: "npm ci", isPassed, output, ms: 0 };
}

const outcomes = [checkCompilerVersion(), ...(await Promise.all(checks.map(run)))];
for (const { name, isPassed, ms, output, fix } of outcomes) {
  if (isPassed) process.stdout.write(`ok      ${name} (${(ms / 1000).toFixed(1)} s)\n`);
  else process.stdout.write(`\n${output}\n\nfailed  ${name}; to fix: ${fix}\n\n`);
}
process.exitCode = outcomes.every((outcome) => outcome.isPassed) ? 0 : 1;
