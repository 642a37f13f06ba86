import type { FindingPriority } from "./finding.ts";
import type { Observation, Rule } from "./rule.ts";
import type { Caller, Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";
import { costOf, shortName } from "./text.ts";

/** The facts that the texts of a rule can refer to. */
interface FoundGoroutines {
  /** The function that waits or runs, in a sentence. */
  readonly where: string;
  readonly count: number;
}

interface GoroutineRule extends Omit<Rule, "find" | "types" | "category"> {
  /** Groups are judged one by one: one that grows counts before one that is large. */
  readonly select: (subject: Subject) => Selection;
  readonly from: { readonly low: number; readonly medium: number; readonly high: number };
  /** Whether the rule reports only what grew since an earlier profile. */
  readonly mustGrow?: boolean;
  /** Whether goroutines of libraries alone count: elsewhere they wait for clients or work. */
  readonly mayLackCaller?: boolean;
  readonly confidence: number;
  readonly issue: (found: FoundGoroutines) => string;
  readonly impact: string;
  readonly solution: (found: FoundGoroutines) => string;
}

/** Only the largest groups are judged. */
const groupsMax = 8;

/** A rule about goroutines that pile up in one place, judged by their number and by growth since earlier profiles. */
export function goroutineRule(definition: GoroutineRule): Rule {
  const {
    select,
    from,
    mustGrow = false,
    mayLackCaller = false,
    confidence,
    issue,
    impact,
    solution,
    ...rest
  } = definition;
  const judge = (subject: Subject, all: Selection, caller: Caller | undefined) => {
    const selection = caller === undefined ? all : all.of(caller);
    const growth = growthOf(subject, selection.weight, (earlier) => countOf(select(earlier), caller));
    const priority = countPriority(selection, from, growth.isLeak);
    if (priority === undefined || (mustGrow && !growth.isLeak)) return undefined;
    return { selection, growth, priority, name: caller?.name ?? selection.evidence[0]?.name };
  };
  return {
    types: ["goroutine"],
    category: "goroutine_optimization",
    ...rest,
    find(subject): Observation | undefined {
      const all = select(subject);
      const callers = all.callers.slice(0, groupsMax);
      const groups = callers.length === 0 && mayLackCaller ? [undefined] : callers;
      const judged = groups.flatMap((caller) => judge(subject, all, caller) ?? []);
      // A small group that grows says more than a large one that stays.
      const found = judged.find(({ growth }) => growth.isLeak) ?? judged[0];
      if (found?.name === undefined) return undefined;
      const { selection, growth, priority, name } = found;
      // A merged range has means, which are no whole numbers.
      const facts = { where: shortName(name), count: Math.round(selection.weight) };
      return {
        selection,
        priority,
        confidence: growth.isLeak ? 1 - (1 - confidence) / 2 : confidence,
        saves: 0.9,
        issue: issue(facts),
        impact: `They are ${costOf(subject, selection)}.${growth.text} ${impact}`,
        solution: solution(facts),
      };
    },
  };
}

/** Goroutines of the same caller; of all, if there is no caller. */
function countOf(all: Selection, caller: Caller | undefined): number {
  if (caller === undefined) return all.weight;
  return all.callers.find(({ ref }) => ref === caller.ref)?.weight ?? 0;
}

/** Goroutines from which on a rule reports, and with which priority. */
interface CountThresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

/** Growth that no change of load explains: twice as many, and this many more. */
const growthFactor = 2;
const growthMin = 20;

interface Growth {
  readonly before: number;
  readonly now: number;
  readonly isLeak: boolean;
  /** ` 60 seconds before there were 12.`; "" without an earlier profile. */
  readonly text: string;
}

/** Goroutines in the same place in the oldest earlier profile. `count` gets the subject of that time. */
function growthOf(subject: Subject, now: number, count: (earlier: Subject) => number): Growth {
  const [first] = subject.earlier;
  if (first === undefined) return { before: now, now, isLeak: false, text: "" };
  const before = count(first);
  const isLeak = now >= before * growthFactor && now - before >= growthMin;
  const seconds = Math.round((subject.timeMs - first.timeMs) / 1000);
  const hasTimes = first.timeMs > 0 && seconds > 0;
  const when = hasTimes ? `${durationText(seconds)} before` : "In an earlier profile";
  return { before, now, isLeak, text: ` ${when} there were ${Math.round(before)}.` };
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 3600)} hours`;
}

/** Undefined below the lowest threshold. Growth without end raises the priority by one. */
function countPriority(
  { weight }: Selection,
  { low, medium, high }: CountThresholds,
  isLeak: boolean,
): FindingPriority | undefined {
  if (weight < low) return undefined;
  if (weight >= high || (isLeak && weight >= medium)) return "high";
  return weight >= medium || isLeak ? "medium" : "low";
}
