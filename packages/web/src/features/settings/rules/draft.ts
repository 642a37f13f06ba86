import {
  type AlertRule,
  type AlertRuleBody,
  isReadableLine,
  isServiceName,
  limits,
  type RuleComparison,
  type RuleSignal,
} from "@flamekeep/contract";
import { tagsOf } from "#format/tags.ts";
import type { Problem } from "#ui/controls/form-problems.tsx";
import {
  bestWord,
  likelyUnit,
  numberText,
  type SignalOption,
  signalOf,
  toNumber,
  unitWords,
  usualSignals,
} from "./model.ts";
import type { RuleCondition } from "./queries.ts";

/** The fields of the dialog, as they were entered. */
export interface Draft {
  readonly name: string;
  readonly service: string;
  readonly signal: SignalOption;
  /** Of requests: method and path, or a path alone; empty for all. */
  readonly route: string;
  readonly tags: string;
  readonly comparison: RuleComparison;
  readonly amount: string;
  /** How many of the rule's unit one of the chosen unit is. */
  readonly factor: number;
  readonly minutes: string;
  readonly severity: AlertRule["severity"];
}

const minutesUsual = 10;

/** Fields of a new rule in a link. */
export interface NewRule {
  readonly service?: string | undefined;
  readonly signal?: Exclude<RuleSignal, "profile"> | undefined;
  readonly route?: string | undefined;
  /** In the unit of the rule. */
  readonly threshold?: number | undefined;
}

export function newDraft({ service = "", signal: of, route = "", threshold }: NewRule): Draft {
  const signal = usualSignals.find(({ value }) => value === of) ?? usualSignals[1]!;
  const words = unitWords(signal, likelyUnit(signal));
  const { factor } = threshold === undefined ? (words.at(-1) ?? noUnit) : bestWord(threshold, words);
  return {
    name: "",
    service,
    signal,
    route,
    tags: "",
    comparison: "above",
    amount: threshold === undefined ? "" : numberText(threshold / factor),
    factor,
    minutes: String(minutesUsual),
    severity: "warning",
  };
}

const noUnit = { word: "", factor: 1 };

export function draftOf(rule: AlertRule): Draft {
  const signal = signalOf(rule);
  const { factor } = bestWord(rule.threshold, unitWords(signal, rule.unit));
  const tags = Object.entries(rule.tags).map(([name, value]) => `${name}:${value}`);
  return {
    name: rule.name,
    service: rule.service,
    signal,
    route: rule.route ?? "",
    tags: tags.join(", "),
    factor,
    comparison: rule.comparison,
    amount: numberText(rule.threshold / factor),
    minutes: String(rule.minutes),
    severity: rule.severity,
  };
}

/** The draft about another signal, whose values have other units. */
export function withSignal(draft: Draft, signal: SignalOption): Draft {
  const words = unitWords(signal, likelyUnit(signal));
  const factor = words.find((word) => word.factor === draft.factor)?.factor ?? words[0]?.factor ?? 1;
  return { ...draft, signal, factor };
}

export function isOfRequests({ signal }: Draft): boolean {
  return signal.signal !== "profile";
}

/** The fields that have to be changed before the rule can be stored. */
export function problemsOf(draft: Draft): Problem[] {
  const problems: Problem[] = [];
  const amount = toNumber(draft.amount);
  if (!isServiceName(draft.service)) problems.push({ field: "service", text: "Enter a service" });
  if (amount === undefined) problems.push({ field: "amount", text: "Enter the threshold as a number" });
  else if (draft.comparison === "below" && amount === 0) {
    problems.push({ field: "amount", text: "No value is below 0: enter a larger threshold" });
  } else if (draft.signal.signal === "http_error_rate" && amount >= 100) {
    problems.push({ field: "amount", text: "Enter a percentage below 100" });
  }
  if (minutesOf(draft) === undefined) {
    problems.push({ field: "minutes", text: `Enter 1 to ${limits.ruleMinutesMax} minutes` });
  }
  if (isOfRequests(draft) && !isReadableLine(draft.route.trim())) {
    problems.push({ field: "route", text: "Write the route without invisible characters" });
  }
  if (!isOfRequests(draft) && tagsOf(draft.tags) === undefined) {
    problems.push({ field: "tags", text: "Write tags as name:value, separated by commas" });
  }
  return problems;
}

function minutesOf({ minutes }: Draft): number | undefined {
  const value = toNumber(minutes);
  const isValid =
    Number.isInteger(value) && value !== undefined && value >= 1 && value <= limits.ruleMinutesMax;
  return isValid ? value : undefined;
}

/** `Memory in use of checkout above 2 GB`: the name of a rule without one. */
function usualName(draft: Draft, word: string): string {
  const unit = word === "%" ? word : ` ${word}`;
  const route = routeOf(draft);
  const subject = route === null ? draft.service.trim() : `${route} in ${draft.service.trim()}`;
  return `${draft.signal.label} of ${subject} ${draft.comparison} ${draft.amount.trim()}${unit}`;
}

function routeOf(draft: Draft): string | null {
  return isOfRequests(draft) ? draft.route.trim() || null : null;
}

/** The rule of a draft without problems. */
export function ruleBodyOf(draft: Draft): AlertRuleBody {
  const words = unitWords(draft.signal, likelyUnit(draft.signal));
  const { word } = words.find(({ factor }) => factor === draft.factor) ?? { word: "" };
  const name = draft.name.trim() || usualName(draft, word).slice(0, limits.ruleNameLengthMax);
  return { ...toCondition(draft), name, severity: draft.severity };
}

/** The condition of the preview: a service and a signal are enough to see the values. Undefined without them. */
export function conditionOf(draft: Draft): RuleCondition | undefined {
  const blocking = problemsOf(draft).filter(({ field }) => ["service", "route", "tags"].includes(field));
  if (blocking.length > 0) return undefined;
  const isComplete = problemsOf(draft).length === 0;
  return isComplete ? toCondition(draft) : { ...toCondition(draft), comparison: "above", threshold: 0 };
}

function toCondition(draft: Draft): RuleCondition {
  const { signal, profileType, sampleType } = draft.signal;
  return {
    service: draft.service.trim(),
    signal,
    profile_type: profileType,
    sample_type: sampleType,
    route: routeOf(draft),
    tags: isOfRequests(draft) ? {} : (tagsOf(draft.tags) ?? {}),
    comparison: draft.comparison,
    // Without the error of binary fractions: 1.5% is 0.015, not 0.015000000000000001.
    threshold: Number(((toNumber(draft.amount) ?? 0) * draft.factor).toPrecision(15)),
    minutes: minutesOf(draft) ?? minutesUsual,
  };
}
