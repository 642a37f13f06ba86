import type { ProfileType } from "@flamekeep/contract";
import type { Fraction } from "@flamekeep/profile";
import type { FindingPriority } from "./finding.ts";
import type { Observation, Rule } from "./rule.ts";
import type { Caller, Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";
import { costOf, percent, shareOf, shortName } from "./text.ts";

/** Below this many samples a share is rough: of six samples, the true number is between two and thirteen. */
const samplesMin = 6;
/** Of four, it is between one and eleven: enough to mention what seems well above the lowest threshold. */
const samplesOfLowMin = 4;
const fewSamplesFactor = 2;
/** Three samples are proof enough for work that serving never needs. */
const samplesOfNeverNeededMin = 3;
/** A high priority asks for action, so its evidence must not rest on a few samples. */
const samplesOfHighMin = 20;

/** Facts that the texts of a rule can refer to. */
export interface Found {
  readonly subject: Subject;
  readonly selection: Selection;
  /** The part of the selection that the named function causes; all of it where no stack shows that. */
  readonly own: Selection;
  /** The stacks that lead to the cause. */
  readonly cause: Selection;
  /** The application function that causes most of it. Undefined only if the rule does not ask for one. */
  readonly caller: Caller | undefined;
  /** Its name in a sentence. */
  readonly where: string;
  /** The share of the named function: `11% of CPU`; where others do the same: `11% of CPU (15% in all)`. */
  readonly share: string;
  /** The same with its amount: `11% of CPU (0.04 cores per instance; 15% with 1 other function)`. */
  readonly cost: string;
}

/** Shares of the profile from which on a rule reports, and with which priority. */
export interface Thresholds {
  readonly low: Fraction;
  readonly medium: Fraction;
  /** Left out where a large share alone is no proof of a mistake: then the priority is at most medium. */
  readonly high?: Fraction;
  /** Whether serving never needs it, so that seeing it at all is the proof. */
  readonly isNeverNeeded?: boolean;
}

type OrOf<T> = T | ((found: Found) => T);

/** A rule about stacks that application functions cause. */
interface JudgedRule extends Omit<Rule, "find"> {
  /** Undefined if there is nothing to judge. */
  readonly select: (subject: Subject) => Selection | undefined;
  /** Whether it is reported too where no application function causes it. */
  readonly mayLackCaller?: boolean;
  /** Stacks that lead to the cause, if the selection's stacks do not. */
  readonly cause?: (selection: Selection, subject: Subject) => Selection;
  /** Undefined if the selection is not worth a report. */
  readonly judge: (found: Found) => FindingPriority | undefined;
  readonly confidence: OrOf<number>;
  readonly saves: OrOf<Fraction>;
  /** A title of one line: the function, its cost, and after a colon the remedy. */
  readonly issue: OrOf<string>;
  readonly impact: OrOf<string>;
  readonly solution: OrOf<string>;
}

export type RuleTexts = Omit<JudgedRule, "types" | "category" | "judge"> &
  Partial<Pick<Rule, "types" | "category">>;

export function judgedRule(definition: JudgedRule): Rule {
  const { select, mayLackCaller = false, cause: causeOf, judge, ...texts } = definition;
  const { confidence, saves, issue, impact, solution, ...rest } = texts;
  return {
    ...rest,
    find(subject): Observation | undefined {
      const selection = select(subject);
      if (selection === undefined) return undefined;
      const cause = causeOf?.(selection, subject) ?? selection;
      const caller = cause.callers[0];
      if (caller === undefined && !mayLackCaller) return undefined;
      const where = caller === undefined ? "This program" : shortName(caller.name);
      const { own, whole, others } = partsOf(selection, cause, rest.isWholeProgram ? undefined : caller);
      const share = shareOf(own, whole);
      const cost = costOf(subject, own, others);
      const found: Found = { subject, selection, own, cause, caller, where, share, cost };
      const judged = judge(found);
      if (judged === undefined) return undefined;
      const priority = worthOf(subject, selection, judged);
      return {
        selection,
        cause,
        priority,
        confidence: given(confidence, found),
        saves: given(saves, found),
        issue: given(issue, found),
        impact: given(impact, found),
        solution: given(solution, found),
      };
    },
  };
}

/** The part of a selection that a caller causes, and texts about the whole, for a title and a sentence; "" if there is no more. */
function partsOf(selection: Selection, cause: Selection, caller: Caller | undefined) {
  const nothing = { own: selection, whole: "", others: "" };
  if (caller === undefined) return nothing;
  const own = selection.within(new Set(cause.of(caller).stacks));
  const count = cause.callers.length - 1;
  const others = `with ${count} other function${count === 1 ? "" : "s"}`;
  // The work runs in other stacks than those of its callers: nothing says which of them causes how much.
  if (own.weight === 0) return count === 0 ? nothing : { ...nothing, whole: "in all", others };
  const share = percent(selection.share);
  if (percent(own.share) === share) return { ...nothing, own };
  const whole = `${share} in all`;
  return { own, whole, others: count === 0 ? whole : `${share} ${others}` };
}

/** The cost from which on a priority is allowed: in cores, or in bytes allocated a second. A large share of little is little. */
const worth = {
  high: { cores: 0.03, bytesPerSecond: 8 * 1024 * 1024 },
  medium: { cores: 0.01, bytesPerSecond: 512 * 1024 },
} as const;

/** The priority, lowered where the cost is too small for it. Profiles without a duration do not show what they cost. */
export function worthOf(
  subject: Subject,
  { weight, view: { sampleType } }: Pick<Selection, "weight" | "view">,
  priority: FindingPriority,
): FindingPriority {
  const cores =
    subject.type === "cpu" || sampleType.type === "wall" ? subject.coresOf(weight, sampleType) : undefined;
  const isRate = sampleType.type === "alloc_space" && subject.durationNs > 0;
  const bytes = isRate ? weight / (subject.durationNs / 1e9) : undefined;
  const isWorth = (level: keyof typeof worth) =>
    (cores ?? Number.POSITIVE_INFINITY) >= worth[level].cores &&
    (bytes ?? Number.POSITIVE_INFINITY) >= worth[level].bytesPerSecond;
  if (priority === "high" && isWorth("high")) return "high";
  return priority !== "low" && isWorth("medium") ? "medium" : "low";
}

function given<T extends string | number | Thresholds>(value: OrOf<T>, found: Found): T {
  return typeof value === "function" ? value(found) : value;
}

const categories: Partial<Record<ProfileType, Rule["category"]>> = {
  cpu: "cpu_optimization",
  memory: "memory_optimization",
};

export interface ShareRule extends RuleTexts {
  readonly from: OrOf<Thresholds>;
}

/** The usual rule. Its `impact` follows the sentence about the cost. */
export function callRule(definition: ShareRule): Rule {
  return shareRule({
    ...definition,
    impact: (found) => `It accounts for about ${found.cost}. ${given(definition.impact, found)}`,
  });
}

/** A rule judged by the share of the profile. About CPU, unless it says otherwise. */
export function shareRule({ types = ["cpu"], category, from, ...rest }: ShareRule): Rule {
  return judgedRule({
    types,
    category: category ?? categories[types[0] ?? "cpu"] ?? "other",
    ...rest,
    judge: (found) => priorityOf(found.selection, given(from, found)),
  });
}

/** Undefined if the selection is too small to be reported. */
export function priorityOf(
  { share, count }: Selection,
  { low, medium, high, isNeverNeeded = false }: Thresholds,
): FindingPriority | undefined {
  const countMin = isNeverNeeded ? samplesOfNeverNeededMin : samplesOfLowMin;
  if (share < low || (count !== undefined && count < countMin)) return undefined;
  if (count !== undefined && count < samplesMin)
    return share >= Math.min(low * fewSamplesFactor, medium) ? "low" : undefined;
  if (high !== undefined && share >= high && (count === undefined || count >= samplesOfHighMin))
    return "high";
  return share >= medium ? "medium" : "low";
}
