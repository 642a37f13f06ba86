import process from "node:process";
import { runTests } from "#full-length";
import type { Measurement } from "#result";

const strings = Number(process.env.BENCH_INJECTION_STRINGS ?? 200);

/** Runs the test that sends injection strings to every parameter of every call, with many each; `npm test` sends a few. */
export function runInjectionTest(): Promise<Measurement[]> {
  return runTests(
    `${strings} injection strings at every parameter`,
    ["packages/server/src/injection.test.ts"],
    { INJECTION_STRINGS: String(strings) },
  );
}
