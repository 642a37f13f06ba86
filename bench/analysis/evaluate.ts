import type { ProfileType } from "@flamekeep/contract";
import { withoutShapes } from "@flamekeep/profile";
import {
  type PlantedProblem,
  type PlantedProfile,
  type PlantedProgram,
  plantedFile,
} from "@flamekeep/profile/testing/planted";
import { analyse } from "@flamekeep/server/analysis/ranges/tasks.ts";
import type { Finding } from "@flamekeep/server/analysis/rules/finding.ts";

/** A finding counts if it is among this many. */
const firstFindings = 3;

const typeOf: Readonly<Record<PlantedProfile, ProfileType>> = {
  cpu: "cpu",
  heap: "memory",
  allocs: "memory",
  goroutine: "goroutine",
  mutex: "mutex",
  block: "block",
  wall: "custom",
};

interface Verdict {
  readonly program: string;
  readonly problem: PlantedProblem;
  /** Among the first findings of its profile, by the right rule and with the right function named. */
  readonly isFound: boolean;
  /** Also the first function of the finding, and not just one of its evidence. */
  readonly isFirstFunction: boolean;
  /** The first findings, to read. */
  readonly findings: readonly string[];
}

export interface Evaluation {
  readonly problems: readonly Verdict[];
  /** Programs without a problem, with their findings of high priority. */
  readonly clean: readonly { readonly program: string; readonly alarms: readonly string[] }[];
}

/** Analyses every profile of the programs as the server does, and compares the findings with what was planted. */
export function evaluate(programs: readonly PlantedProgram[]): Evaluation {
  const problems: Verdict[] = [];
  const clean: { program: string; alarms: string[] }[] = [];
  for (const program of programs) {
    const found = new Map(program.profiles.map((profile) => [profile, findingsOf(program, profile)]));
    for (const problem of program.planted)
      problems.push(verdictOf(program.id, problem, found.get(problem.profile) ?? []));
    if (program.planted.length > 0) continue;
    const alarms = [...found.values()].flat().filter(({ priority }) => priority === "high");
    clean.push({ program: program.id, alarms: alarms.map(toText) });
  }
  return { problems, clean };
}

function findingsOf(program: PlantedProgram, profile: PlantedProfile): readonly Finding[] {
  const originalOf = (name: string, of: PlantedProfile = profile) => ({
    profileId: `${program.id}/${name}`,
    payload: plantedFile(program.id, name),
    type: typeOf[of],
    sampleTypes: undefined,
  });
  const type = typeOf[profile];
  const related = program.profiles.filter((other) => typeOf[other] !== type);
  const { value } = analyse({
    original: originalOf(profile),
    facts: {
      requestsPerSecond: program.load,
      related: related.map((other) => originalOf(other, other)),
      earlier: program.earlier.includes(profile)
        ? [{ original: originalOf(`${profile}-earlier`), atMs: 0 }]
        : [],
    },
  });
  if (value === undefined) throw new Error(`${program.id}/${profile} cannot be opened`);
  return value.findings;
}

function verdictOf(program: string, problem: PlantedProblem, findings: readonly Finding[]): Verdict {
  const rules = [problem.rule, ...(problem.orRules ?? [])];
  const names = [problem.function, ...(problem.orFunctions ?? [])].map(withoutShapes);
  const first = findings.slice(0, firstFindings);
  const matching = first.filter(
    ({ rule, functions }) => rules.includes(rule) && functions.some(({ name }) => names.includes(name)),
  );
  return {
    program,
    problem,
    isFound: matching.length > 0,
    isFirstFunction: matching.some(({ functions }) => names.includes(functions[0]!.name)),
    findings: first.map(toText),
  };
}

function toText({ priority, rule, functions, share }: Finding): string {
  return `${priority} ${rule} ${functions[0]?.name} ${(share * 100).toFixed(1)}%`;
}
