// Runs before every test file: chooses the seed of its property tests (fast-check). A failure prints its seed; repeat it with
// FAST_CHECK_SEED=<seed> npm test -- <file>
import { readFileSync } from "node:fs";
import process from "node:process";
import { expect } from "vitest";

const dayMs = 24 * 60 * 60 * 1000;

// Loading fast-check takes 50 ms, and one file in ten uses it.
if (readFileSync(expect.getState().testPath ?? "", "utf8").includes('from "fast-check"')) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ ...fc.readConfigureGlobal(), ...chosenSeed() });
}

/** The same for a whole UTC day in CI, so that a failed run fails again; random elsewhere. */
function chosenSeed(): { readonly seed?: number } {
  const { FAST_CHECK_SEED, CI } = process.env;
  if (FAST_CHECK_SEED) return { seed: Number(FAST_CHECK_SEED) };
  return CI ? { seed: Math.floor(Date.now() / dayMs) } : {};
}
