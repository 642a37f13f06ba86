import { spawn } from "node:child_process";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { atLeast, atMost, type Measurement } from "#result";

const root = fileURLToPath(new URL("../..", import.meta.url));
const strings = Number(process.env.BENCH_INJECTION_STRINGS ?? 200);

/** Runs the test that sends injection strings to every parameter of every call, with many each; `npm test` sends a few. */
export async function runInjectionTest(): Promise<Measurement[]> {
  const run = spawn(process.execPath, ["scripts/test.ts", "packages/server/src/injection.test.ts"], {
    cwd: root,
    env: { ...process.env, INJECTION_STRINGS: String(strings) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await text(run.stdout);
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(output);
  if (counts === null || counts[2] !== "0") process.stderr.write(output);
  const what = `${strings} injection strings at every parameter`;
  return [
    { what: `${what}, passed`, value: Number(counts?.[1] ?? 0), unit: "tests", bar: atLeast(1, true) },
    { what: `${what}, failed`, value: Number(counts?.[2] ?? 1), unit: "tests", bar: atMost(0, true) },
  ];
}
