import { describe, expect, it } from "vitest";
import { functionTotals } from "./describe/function-totals.ts";
import { withoutShapes } from "./names/function-name.ts";
import { readProfile } from "./read/read-profile.ts";
import { sumStacks } from "./stacks/sum-stacks.ts";
import {
  inflatedPlanted,
  type PlantedProgram,
  plantedFolders,
  plantedProfiles,
  plantedPrograms,
  recordedNames,
} from "./testing/planted.ts";

/** All rules of the built-in analyser. */
const ruleIds = `
  json-reflection regexp-compile regexp-matching fmt-in-hot-path string-byte-conversion string-concatenation map-growth
  slice-growth template-parse template-execution garbage-collection small-writes tls-handshakes compression-level
  logging-cost time-now hashing password-hashing memory-copies sort-with-reflection database-n-plus-one
  scheduler-overhead lock-spinning interface-allocation defer-in-loop reflection linear-search crypto-random
  channel-per-item map-lookups system-calls request-per-item repeated-parsing
  unbounded-cache buffer-growth garbage-per-request large-objects subslice-retention heap-growth read-all boxed-values
  json-decode-garbage pooled-object-missing
  goroutine-leak blocked-send blocked-receive unbounded-fan-out missing-timeout ticker-not-stopped
  unclosed-response-body unclosed-client stuck-lock
  hot-lock rwmutex-misuse lock-held-over-io channel-imbalance connection-pool-wait logger-lock
  missing-pgo old-go-version label-skew waiting-wall-time`
  .trim()
  .split(/\s+/);

/** Where the programs are built and run, and system libraries. */
const neutralPath = /^\/(?:tmp\/services|usr\/lib|lib)/;

const programs = plantedPrograms();
const withProblems = programs.filter(({ planted }) => planted.length > 0);
const problems = programs.flatMap((program) => program.planted.map((problem) => ({ program, problem })));

function profileOf(id: string, name: string) {
  const result = readProfile(inflatedPlanted(id, name));
  if (!result.ok) throw new Error(`${id}/${name}: ${result.error.message}`);
  return result.profile;
}

/** A function's share of a profile, 0 where it is missing. */
function shareOf({ id }: PlantedProgram, profile: keyof typeof plantedProfiles, name: string): number {
  const read = profileOf(id, profile);
  const column = read.sampleTypes.findIndex(({ type }) => type === plantedProfiles[profile]);
  const stacks = sumStacks(read);
  const weights = Float64Array.from([...stacks.values[column]], Number);
  const { names, cum } = functionTotals(stacks, weights);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return names.reduce((share, one, i) => (withoutShapes(one) === name ? share + cum[i] / total : share), 0);
}

describe("the programs with planted problems", () => {
  it("have sources and recorded profiles, each in a folder", () => {
    const ids = programs.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(plantedFolders()).toEqual({ services: [...ids].sort(), recorded: [...ids].sort() });
    for (const { id, profiles, earlier } of programs)
      expect([id, recordedNames(id)]).toEqual([
        id,
        [...profiles, ...earlier.map((name) => `${name}-earlier`)].sort(),
      ]);
  });

  it("are at least 60 with a problem, 15 of them with two, and 20 that are merely busy; 40 in the final set", () => {
    const final = withProblems.filter((program) => program.set === "final");
    expect(withProblems.length).toBeGreaterThanOrEqual(60);
    expect(withProblems.filter(({ planted }) => planted.length === 2).length).toBeGreaterThanOrEqual(15);
    expect(programs.length - withProblems.length).toBeGreaterThanOrEqual(20);
    expect(final.length).toBeGreaterThanOrEqual(40);
    expect(final.filter(({ planted }) => planted.length === 2).length).toBeGreaterThanOrEqual(8);
  });

  it("have every rule in the set for tuning, and most in the final one, which is not made from the rules", () => {
    const rulesOf = (set: string) =>
      new Set(problems.flatMap(({ program, problem }) => (program.set === set ? [problem.rule] : [])));
    expect([...rulesOf("tuning")].sort()).toEqual([...ruleIds].sort());
    expect(rulesOf("final").size).toBeGreaterThanOrEqual(40);
  });

  it("have profiles that are read, without paths of the machine that recorded them", () => {
    for (const { id } of programs)
      for (const name of recordedNames(id)) {
        const read = profileOf(id, name);
        expect([id, name, read.samples.length > 0]).toEqual([id, name, true]);
        const files = [...read.functions.file, ...read.mappings.file].map((index) => read.strings[index]);
        const foreign = files.filter((file) => file.startsWith("/") && !neutralPath.test(file));
        expect([id, name, foreign]).toEqual([id, name, []]);
      }
  });

  it("show each planted problem in the function that has it", () => {
    const invisible = problems.flatMap(({ program, problem }) => {
      const names = [problem.function, ...(problem.orFunctions ?? [])];
      const shares = names.map((name) => shareOf(program, problem.profile, name));
      return shares[0] < 0.03 || shares.includes(0) ? [[program.id, problem.rule, names, shares]] : [];
    });
    expect(invisible).toEqual([]);
  });

  it("plant problems that rules are about", () => {
    for (const { program, problem } of problems)
      for (const rule of [problem.rule, ...(problem.orRules ?? [])])
        expect([program.id, ruleIds]).toEqual([program.id, expect.arrayContaining([rule])]);
    for (const { id, profiles, planted } of withProblems)
      for (const { profile } of planted)
        expect([id, profiles]).toEqual([id, expect.arrayContaining([profile])]);
  });
});
