import {
  type LabelledLanguage,
  type LabelledService,
  labelledFile,
  plainName,
} from "@flamekeep/profile/testing/labelled";
import { analyse } from "@flamekeep/server/analysis/ranges/tasks.ts";
import type { Finding } from "@flamekeep/server/analysis/rules/finding.ts";
import { atLeast, type Measurement } from "#result";

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

/** Analyses the profile of each service as the server does, and compares the findings with what was planted. */
export function evaluateLabelled(services: readonly LabelledService[]): LabelledEvaluation {
  const analysed = services.map((service) => ({ service, findings: findingsOf(service) }));
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

/** Of one language. The figure of the first count is the honest one: rules that were changed since have seen what was missed. */
export function toLabelledMeasurements(
  language: LabelledLanguage,
  { problems, busy }: LabelledEvaluation,
): Measurement[] {
  const found = problems.filter(({ isFound }) => isFound).length;
  const foundAtFirst = problems.filter(({ service }) => service.planted?.missedAtFirst !== true).length;
  return [
    { what: `${language}: planted problems`, value: problems.length, unit: "" },
    {
      what: `${language}: found at the first count, before any rule was changed`,
      value: percent(foundAtFirst, problems.length),
      unit: "%",
      bar: atLeast(95),
    },
    {
      what: `${language}: found among the first 3, right function named`,
      value: percent(found, problems.length),
      unit: "%",
      bar: atLeast(95),
    },
    {
      what: `${language}: right function named among the first 3, whatever is said about it`,
      value: percent(problems.filter(({ isNamed }) => isNamed).length, problems.length),
      unit: "%",
    },
    {
      what: `${language}: busy services without a finding of high priority`,
      value: percent(busy.filter(({ high }) => high.length === 0).length, busy.length),
      unit: "%",
      bar: atLeast(100),
    },
    {
      what: `${language}: findings of medium priority about busy services, true or not`,
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

function findingsOf(service: LabelledService): readonly Finding[] {
  const name = `${service.language}/${service.id}`;
  const original = {
    profileId: name,
    payload: labelledFile(service),
    type: service.type,
    sampleTypes: undefined,
  };
  const { value } = analyse({ original, facts: {} });
  if (value === undefined) throw new Error(`${name} cannot be opened`);
  return value.findings;
}

function namesCulprit({ functions }: Finding, { planted }: LabelledService): boolean {
  return functions.some(({ name }) => planted?.functions.includes(plainName(name)));
}

function speaksAbout({ issue }: Finding, { planted }: LabelledService): boolean {
  return (planted?.words ?? []).some((word) => new RegExp(`(?<![a-z])${word}`, "i").test(issue));
}

function toText({ priority, issue, functions, share }: Finding): string {
  return `${priority} "${issue}" ${functions[0]?.name} ${(share * 100).toFixed(1)}%`;
}
