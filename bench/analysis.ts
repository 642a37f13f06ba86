import process from "node:process";
import { profileTypeOf } from "@flamekeep/profile";
import {
  type LabelledLanguage,
  labelledLanguages,
  labelledServices,
} from "@flamekeep/profile/testing/labelled";
import { type PlantedProgram, plantedPrograms } from "@flamekeep/profile/testing/planted";
import { analyse } from "@flamekeep/server/analysis/ranges/tasks.ts";
import { type Evaluation, evaluate } from "./analysis/evaluate.ts";
import { evaluateLabelled, toLabelledMeasurements, toLabelledTable } from "./analysis/labelled.ts";
import { cpuPerCall } from "./cpu.ts";
import { type RealProfile, realProfiles, typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult, type Measurement } from "./result.ts";

const sets = ["tuning", "final"] as const satisfies readonly PlantedProgram["set"][];

/** The rules over programs with planted problems, for each set and language; prints what they missed. And the CPU of an analysis. */
export async function benchAnalysis(): Promise<BenchResult> {
  const programs = plantedPrograms();
  const older = programs.filter(({ go }) => go !== undefined).length;
  const measurements = sets.flatMap((set) => {
    const ofSet = programs.filter((program) => program.set === set);
    const evaluation = evaluate(ofSet);
    process.stderr.write(`${toMissesTable(set, evaluation)}\n`);
    return [...toMeasurements(set, evaluation), ...(set === "final" ? [firstCount(ofSet)] : [])];
  });
  const services = labelledServices();
  const languages = await Promise.all(labelledLanguages.map(benchLanguage));
  return {
    name: "analysis",
    input: `${programs.length} programs in examples/planted, recorded with Go 1.26, ${older} of them with older versions; ${services.length} services of other languages in examples/labelled`,
    measurements: [...measurements, ...languages.flat(), ...costs()],
  };
}

async function benchLanguage(language: LabelledLanguage): Promise<Measurement[]> {
  const services = labelledServices().filter((service) => service.language === language);
  const measurements: Measurement[] = [];
  for (const set of [undefined, "second"] as const) {
    const ofSet = services.filter((service) => service.set === set);
    if (ofSet.length === 0) continue;
    const name = set === undefined ? language : `${language}, ${set} set`;
    const evaluation = await evaluateLabelled(ofSet);
    const withSources = await evaluateLabelled(ofSet, "with sources");
    process.stderr.write(`${toLabelledTable(name, evaluation)}\n`);
    process.stderr.write(`${toLabelledTable(`${name}, with sources`, withSources)}\n`);
    measurements.push(...toLabelledMeasurements(name, evaluation, withSources));
  }
  return measurements;
}

/** The honest figure: rules that were changed since have seen the programs that were missed. */
function firstCount(programs: readonly PlantedProgram[]): Measurement {
  const problems = programs.flatMap(({ planted }) => planted);
  const found = problems.filter(({ missedAtFirst = false }) => !missedAtFirst);
  return {
    what: "final: found at the first count, before any rule was changed",
    value: percent(found.length, problems.length),
    unit: "%",
    bar: atLeast(95, false),
  };
}

function toMeasurements(set: string, { problems, clean }: Evaluation): Measurement[] {
  const found = problems.filter(({ isFound }) => isFound);
  const calm = clean.filter(({ alarms }) => alarms.length === 0);
  return [
    { what: `${set}: planted problems`, value: problems.length, unit: "" },
    {
      what: `${set}: found among the first 3, right function named`,
      value: percent(found.length, problems.length),
      unit: "%",
      // The final set is counted, not held: holding it would be tuning on it.
      bar: atLeast(95, set === "tuning"),
    },
    {
      what: `${set}: of those, the right function first`,
      value: percent(found.filter(({ isFirstFunction }) => isFirstFunction).length, problems.length),
      unit: "%",
    },
    { what: `${set}: programs that are merely busy`, value: clean.length, unit: "" },
    {
      what: `${set}: without a finding of high priority`,
      value: percent(calm.length, clean.length),
      unit: "%",
      bar: atLeast(95, true),
    },
  ];
}

function costs(): Measurement[] {
  const largest = realProfiles().sort((a, b) => b.raw.length - a.raw.length)[0]!;
  const typical = typicalCpuProfiles(1)[0]!;
  return [
    {
      what: `CPU to analyse a CPU profile of ${kilobytes(typical.body.length)} KB`,
      value: cpuPerCall(() => run(typical), 200_000) / 1000,
      unit: "ms",
      bar: atMost(300),
    },
    {
      what: `CPU to analyse the largest profile, ${kilobytes(largest.raw.length)} KB inflated`,
      value: cpuPerCall(() => run(largest), 200_000) / 1000,
      unit: "ms",
      bar: atMost(3000),
    },
  ];
}

function run({ name, body, profile }: RealProfile): unknown {
  const type = profileTypeOf(profile);
  return analyse({ original: { profileId: name, payload: body, type, sampleTypes: undefined }, facts: {} });
}

/** One line per problem that was not found, and per alarm about a program without a problem. */
export function toMissesTable(set: string, { problems, clean }: Evaluation): string {
  const missed = problems
    .filter(({ isFound }) => !isFound)
    .map(
      ({ program, problem, findings }) =>
        `  missed ${program}: ${problem.rule} in ${problem.function} (${problem.profile}); found ${findings.join(", ") || "nothing"}`,
    );
  const alarms = clean
    .filter((one) => one.alarms.length > 0)
    .map((one) => `  alarm ${one.program}: ${one.alarms.join(", ")}`);
  const found = problems.length - missed.length;
  const calm = clean.length - alarms.length;
  return [
    `${set}: ${found} of ${problems.length} problems found, ${calm} of ${clean.length} busy programs without alarm`,
    ...missed,
    ...alarms,
  ].join("\n");
}

/** 100 of an empty set: nothing was missed. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}
