import type { ProfileType } from "@flamekeep/contract";
import { type Finding, type FindingFunction, type FindingPriority, functionRef } from "#rules/finding.ts";
import type { Observation, Rule } from "#rules/rule.ts";
import type { Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { hotSpots, sameStacksShare } from "./hot-spots.ts";
import { rules, rulesOf } from "./table.ts";

/** More advice than anyone follows. Requests ask for at most this many. */
const findingsMax = 25;
/** Functions listed as evidence. */
const functionsMax = 6;
/** Part that an agreeing profile of another type takes off the doubt. */
const agreementWeight = 0.5;
/** Rules about what follows from other problems. */
const consequences = new Set(rules.filter(({ isConsequence }) => isConsequence).map(({ id }) => id));

/** CPU and memory profiles show two sides of the same allocations. */
const agreeingTypes: Partial<Record<ProfileType, readonly ProfileType[]>> = {
  cpu: ["memory"],
  memory: ["cpu"],
  mutex: ["block"],
  block: ["mutex"],
};

interface Observed {
  readonly rule: Rule;
  readonly observation: Observation;
}

/**
 * The findings of the rules about the program's language, most important first, then the hottest functions that no finding names.
 * Empty if nothing is hot.
 */
export function runRules(subject: Subject, among: readonly Rule[] = rulesOf(subject.language)): Finding[] {
  // A heap profile also counts what was allocated; the analysis is first about what the profile shows first.
  const main = subject.main.sampleType.type;
  const observed = distinct(observe(subject, among), subject);
  const agreeing = (agreeingTypes[subject.type] ?? []).flatMap((type) => {
    const related = subject.related(type);
    return related === undefined ? [] : distinct(observe(related, among), related).map(toFinding);
  });
  const explained = observed.map(toFinding).map((finding) => withAgreement(finding, agreeing));
  const spots = hotSpots(subject, explained.filter(isExplanation), stacksOf(observed.filter(isOfPlace)));
  const findings = [...explained, ...spots].sort(
    (a, b) =>
      rank(b.priority) - rank(a.priority) ||
      Number(b.sampleType === main) - Number(a.sampleType === main) ||
      weightOf(b) - weightOf(a),
  );
  return placesFirst(findings).slice(0, findingsMax);
}

/** Whether a finding says why its function costs that much. */
function isExplanation({ rule }: Finding): boolean {
  return !consequences.has(rule);
}

/** Whether it is about what single functions do. */
function isOfPlace({ rule }: Observed): boolean {
  return rule.isConsequence !== true && rule.isWholeProgram !== true;
}

function stacksOf(observed: readonly Observed[]): ReadonlySet<number> {
  return new Set(observed.flatMap(({ observation }) => observation.selection.stacks));
}

function observe(subject: Subject, among: readonly Rule[]): Observed[] {
  return among.flatMap((rule) => {
    if (!rule.types.includes(subject.type)) return [];
    const observation = rule.find(subject);
    return observation === undefined ? [] : [{ rule, observation }];
  });
}

/**
 * Without what more specific rules report too: a rule whose stacks are mostly theirs is asked again about the rest, where it
 * may have found a separate place.
 */
function distinct(observed: readonly Observed[], subject: Subject): Observed[] {
  return observed.flatMap((one) => {
    const { rule, observation } = one;
    const specific = observed.filter((other) => rule.yieldsTo?.includes(other.rule.id));
    const covered = stacksOf(specific);
    if ((observation.cause ?? observation.selection).shareWithin(covered) < sameStacksShare) return [one];
    const rest = rule.find(subject.without(covered));
    return rest === undefined ? [] : [{ rule, observation: rest }];
  });
}

function toFinding({ rule, observation }: Observed): Finding {
  const { selection, cause = selection, saves, ...texts } = observation;
  const [first, second] = rule.hasGuessedCause === true ? [selection, cause] : [cause, selection];
  return {
    ...texts,
    rule: rule.id,
    category: rule.category,
    ...(rule.example !== undefined && { codeExample: rule.example }),
    sampleType: selection.view.sampleType.type,
    share: selection.share,
    saving: selection.share * saves,
    functions: evidenceOf(first, second),
    path: first.path,
  };
}

/** The functions of the cause, and what they cause. */
function evidenceOf(first: Selection, second: Selection): FindingFunction[] {
  if (first === second) return first.evidence;
  const refs = new Set(first.evidence.map(functionRef));
  return [...first.evidence, ...second.evidence.filter((fn) => !refs.has(functionRef(fn)))].slice(
    0,
    functionsMax,
  );
}

/** A finding about the same function in a profile of another type makes this one surer; together they are one. */
function withAgreement(finding: Finding, agreeing: readonly Finding[]): Finding {
  const refOf = ({ functions: [first] }: Finding) => first && functionRef(first);
  const other = agreeing.find((each) => refOf(each) === refOf(finding));
  if (other === undefined) return finding;
  const kind = other.category === "memory_optimization" ? "memory" : "CPU";
  const isLow = finding.priority === "low";
  return {
    ...finding,
    confidence: 1 - (1 - finding.confidence) * (1 - other.confidence * agreementWeight),
    priority: isLow && other.priority !== "low" ? "medium" : finding.priority,
    impact: `${finding.impact} The ${kind} profile of this service points to the same function: ${other.impact}`,
  };
}

/**
 * Several findings about one function are one place to look at: among findings of the same priority, the first about each
 * function come before the others, so that the top of the list names all places. The input is ordered.
 */
function placesFirst(findings: readonly Finding[]): Finding[] {
  const places = new Set<string | undefined>();
  const isRepeated = new Map<Finding, boolean>();
  const place = ({ functions }: Finding) => functions[0]?.name;
  const isConsequence = ({ rule }: Finding) => consequences.has(rule);
  for (const finding of [...findings].sort(
    (a, b) => rank(b.priority) - rank(a.priority) || Number(isConsequence(a)) - Number(isConsequence(b)),
  )) {
    isRepeated.set(finding, places.has(place(finding)));
    places.add(place(finding));
  }
  return [...findings].sort(
    (a, b) => rank(b.priority) - rank(a.priority) || Number(isRepeated.get(a)) - Number(isRepeated.get(b)),
  );
}

function rank(priority: FindingPriority): number {
  return ["low", "medium", "high"].indexOf(priority);
}

function weightOf({ share, confidence }: Finding): number {
  return share * confidence;
}
