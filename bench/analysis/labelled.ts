import process from "node:process";
import { fileURLToPath } from "node:url";
import { type LabelledService, labelledFile, plainName } from "@flamekeep/profile/testing/labelled";
import { type Advice, toAdvice } from "@flamekeep/server/analysis/advice/recommendations.ts";
import { withHiddenWork } from "@flamekeep/server/analysis/analysers/hidden-work.ts";
import { sourceReader } from "@flamekeep/server/analysis/analysers/source-lines.ts";
import { analyse } from "@flamekeep/server/analysis/ranges/tasks.ts";
import { atLeast, type Measurement } from "#result";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
/** A finding counts if it is among this many. */
const firstFindings = 3;

export interface LabelledEvaluation {
  readonly problems: readonly {
    readonly service: LabelledService;
    /** One of the first findings names a right function, and its title speaks about the problem. */
    readonly isFound: boolean;
    /** One of the first findings names a right function, whatever its title says. */
    readonly isNamed: boolean;
    /** The first findings, to read. */
    readonly findings: readonly string[];
  }[];
  /** Services without a problem, with their findings of high and of medium priority. */
  readonly busy: readonly {
    readonly service: LabelledService;
    readonly high: readonly string[];
    readonly medium: readonly string[];
  }[];
}

/**
 * Analyses the profile of each service as the server does, and compares the findings with what was planted.
 *
 * @param sources whether the server has the sources of the services as well
 */
export async function evaluateLabelled(
  services: readonly LabelledService[],
  sources: "with sources" | "profile alone" = "profile alone",
): Promise<LabelledEvaluation> {
  const analysed = await Promise.all(
    services.map(async (service) => ({ service, findings: await adviceOf(service, sources) })),
  );
  return {
    problems: analysed.flatMap(({ service, findings }) => {
      const first = findings.slice(0, firstFindings);
      const named = first.filter((finding) => namesCulprit(finding, service));
      const isFound = named.some((finding) => speaksAbout(finding, service));
      const verdict = { service, isFound, isNamed: named.length > 0, findings: first.map(toText) };
      return service.planted === undefined ? [] : [verdict];
    }),
    busy: analysed.flatMap(({ service, findings }) => {
      const of = (wanted: string) => findings.filter(({ priority }) => priority === wanted).map(toText);
      return service.planted === undefined ? [{ service, high: of("high"), medium: of("medium") }] : [];
    }),
  };
}

/** Of one set. The figure of the first count is the honest one: rules that were changed since have seen what was missed. */
export function toLabelledMeasurements(
  name: string,
  { problems, busy }: LabelledEvaluation,
  withSources: LabelledEvaluation,
): Measurement[] {
  const foundIn = (of: LabelledEvaluation) => of.problems.filter(({ isFound }) => isFound).length;
  const foundAtFirst = problems.filter(({ service }) => service.planted?.missedAtFirst !== true).length;
  const ofProblems = (what: string, count: number, bar?: Measurement["bar"]): Measurement => ({
    what: `${name}: ${what}`,
    value: percent(count, problems.length),
    unit: "%",
    ...(bar && { bar }),
  });
  const measurements = [
    { what: `${name}: planted problems`, value: problems.length, unit: "" },
    ofProblems("found at the first count, before any rule was changed", foundAtFirst, atLeast(95)),
    ofProblems("found among the first 3, right function named", foundIn({ problems, busy }), atLeast(95)),
    ofProblems("the same, where the server has the sources", foundIn(withSources), atLeast(95)),
    ofProblems(
      "right function named among the first 3, whatever is said about it",
      problems.filter(({ isNamed }) => isNamed).length,
    ),
  ];
  if (busy.length === 0) return measurements;
  return [
    ...measurements,
    {
      what: `${name}: busy services without a finding of high priority`,
      value: percent(busy.filter(({ high }) => high.length === 0).length, busy.length),
      unit: "%",
      bar: atLeast(100),
    },
    {
      what: `${name}: findings of medium priority about busy services, true or not`,
      value: busy.flatMap(({ medium }) => medium).length,
      unit: "",
    },
  ];
}

/** One line per problem that was not found, and per finding of high or medium priority about a busy service. */
export function toLabelledTable(language: string, { problems, busy }: LabelledEvaluation): string {
  const missed = problems.filter(({ isFound }) => !isFound);
  const calm = busy.filter(({ high }) => high.length === 0);
  return [
    `${language}: ${problems.length - missed.length} of ${problems.length} problems found, ${calm.length} of ${busy.length} busy services without a finding of high priority`,
    ...missed.map(
      ({ service, findings }) =>
        `  missed ${service.id}: ${service.planted?.problem} (${service.planted?.functions.join(" or ")}); found ${findings.join(", ") || "nothing"}`,
    ),
    ...busy.flatMap(({ service, high, medium }) =>
      [...high, ...medium].map((finding) => `  about busy ${service.id}: ${finding}`),
    ),
  ].join("\n");
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

async function adviceOf(service: LabelledService, sources: string): Promise<readonly Advice[]> {
  const name = `${service.language}/${service.id}`;
  const original = {
    profileId: name,
    payload: labelledFile(service),
    type: service.type,
    sampleTypes: undefined,
  };
  const { value } = analyse({ original, facts: {} });
  if (value === undefined) throw new Error(`${name} cannot be opened`);
  const advice = value.findings.map(toAdvice);
  if (sources === "profile alone") return advice;
  const place = { root: examples, orgId: "labelled", service: service.language };
  const log = { warn: (fault: object) => process.stderr.write(`${JSON.stringify(fault)}\n`) };
  return withHiddenWork(advice, value.digest.language, await sourceReader(place, log));
}

function namesCulprit({ functions }: Advice, { planted }: LabelledService): boolean {
  return functions.some(({ name }) => planted?.functions.includes(plainName(name)));
}

function speaksAbout({ issue }: Advice, { planted }: LabelledService): boolean {
  return (planted?.words ?? []).some((word) => new RegExp(`(?<![a-z])${word}`, "i").test(issue));
}

function toText({ priority, issue, functions, share }: Advice): string {
  return `${priority} "${issue}" ${functions[0]?.name} ${((share ?? 0) * 100).toFixed(1)}%`;
}
