import {
  type AnalysisCategory,
  type Comparison,
  categoryOf,
  type Onset,
  type ProfileType,
} from "@flamekeep/contract";
import { formatValue } from "@flamekeep/flame";
import type { ValueType } from "@flamekeep/profile";
import type { Advice } from "#analysis/advice/recommendations.ts";
import { functionRef } from "#rules/finding.ts";
import { isHotSpot } from "#rules/run/hot-spots.ts";
import { rules } from "#rules/run/table.ts";
import { listed, percent } from "#rules/text.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { ComparedRanges, GrownFunction } from "./compare.ts";
import type { Both } from "./scales.ts";

const adviceMax = 3;
/** Part of the increase below which a function is no reason for it. */
const shareMin = 0.1;
/** An increase below it is noise. */
const increaseMin = 0.05;

/**
 * Advice about the functions that grew most, which comes first. If a rule found a problem with some of them, its advice is used
 * instead, with their growth added to its impact.
 */
export function growthAdvice(
  { comparison, grown }: ComparedRanges,
  type: ProfileType,
  found: readonly Advice[],
): Advice[] {
  const { increase } = comparison;
  if (increase !== null && increase < increaseMin) return [...found];
  const reasons = grown.filter(({ share }) => share >= shareMin);
  const explained = found.filter(({ rule }) => !isHotSpot(rule));
  const byCause = Map.groupBy(reasons, (each) => findingAbout(each, explained) ?? functionRef(each));
  const advice = [...byCause]
    .map(([cause, functions]) => ({ cause, functions, share: sumOf(functions, ({ share }) => share) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, adviceMax)
    .map(({ cause, functions, share }) => {
      const priority = priorityOf(share);
      if (typeof cause === "string") {
        const impact = impactOf("By itself and through libraries it", functions, comparison);
        return newAdvice(functions[0]!, { impact, priority, category: categoryOf(type), comparison });
      }
      const impact = impactOf(explainedBy(functions), functions, comparison);
      return { ...cause, priority, impact: `${impact} ${cause.impact}` };
    });
  const grownRefs = new Set(reasons.map(functionRef));
  const isRepeated = ({ rule, functions: [first] }: Advice) =>
    isHotSpot(rule) && first !== undefined && grownRefs.has(functionRef(first));
  return [...advice, ...found.filter((each) => !byCause.has(each) && !isRepeated(each))];
}

const aboutWholeProgram: ReadonlySet<string | null> = new Set(
  rules.filter(({ isWholeProgram }) => isWholeProgram).map(({ id }) => id),
);

/** The first finding that names the function: as its cause, or as a part of it. */
function findingAbout(grown: GrownFunction, all: readonly Advice[]): Advice | undefined {
  const found = all.filter(({ rule }) => !aboutWholeProgram.has(rule));
  const ref = functionRef(grown);
  const named = (each: Advice, count: number) =>
    each.functions.slice(0, count).some((fn) => functionRef(fn) === ref);
  return found.find((each) => named(each, 1)) ?? found.find((each) => named(each, each.functions.length));
}

interface AdviceParts {
  readonly impact: string;
  readonly priority: Advice["priority"];
  readonly category: AnalysisCategory;
  readonly comparison: Comparison;
}

function newAdvice(grown: GrownFunction, { impact, priority, category, comparison }: AdviceParts): Advice {
  const { name, file, line, share, selfShare, totalShare } = grown;
  return {
    category,
    priority,
    confidence: Math.min(0.95, 0.5 + share / 2),
    issue: grown.isNew
      ? `${name} is new and explains ${percent(share)} of the increase`
      : `${name} explains ${percent(share)} of the increase`,
    impact,
    solution: solutionOf(grown, comparison),
    rule: "growth",
    sampleType: toValueType(comparison.sample_type).type,
    saving: savingOf(grown, comparison),
    share: totalShare,
    functions: [{ name, file, line, selfShare, totalShare, isVerified: true }],
    path: [],
  };
}

function solutionOf({ isNew }: GrownFunction, { onset }: Comparison): string {
  const version = onset?.version;
  if (isNew)
    return `It did not run in the baseline range. Check the deploys in between${version ? ` (${version})` : ""} and its new callers.`;
  return `Compare its code and its callers${version ? ` in ${version}` : ""} with the baseline range: it runs more often, or each call does more.`;
}

/** Its growth as a part of the later range. */
function savingOf({ values }: GrownFunction, { after }: Comparison): number {
  const growth = values.after - values.before;
  return after.per_second > 0 ? Math.min(1, growth / after.per_second) : 0;
}

function priorityOf(share: number): Advice["priority"] {
  if (share >= 0.5) return "high";
  return share >= 0.2 ? "medium" : "low";
}

/** `shop.hash explains 63% of the increase: by itself and through libraries it` */
function explainedBy(functions: readonly GrownFunction[]): string {
  const names = listed(functions.map(({ name }) => name));
  const share = percent(sumOf(functions, (each) => each.share));
  return functions.length === 1
    ? `${names} explains ${share} of the increase: by itself and through libraries it`
    : `${names} explain ${share} of the increase: together they`;
}

/** The growth of functions, as a sentence that begins with `subject`. */
function impactOf(
  subject: string,
  functions: readonly GrownFunction[],
  { sample_type: sampleType, unit, onset }: Comparison,
): string {
  const valueType = toValueType(sampleType);
  const values = totalOf(functions.map((each) => each.values));
  const requests = functions.flatMap(({ perRequest }) => perRequest ?? []);
  const went = `${subject} went from ${valueText(values.before, valueType, unit)} to ${valueText(values.after, valueType, unit)}.`;
  const perRequest = requests.length === 0 ? [] : [requestText(totalOf(requests), valueType)];
  return [went, ...perRequest, ...(onset === null ? [] : [onsetText(onset)])].join(" ");
}

function onsetText({ at, version }: Onset): string {
  return `The increase began at ${momentText(at)}${version === null ? "" : `, with ${version}`}.`;
}

function requestText({ before, after }: Both, { unit }: ValueType): string {
  return `Per request: from ${formatValue(before, unit)} to ${formatValue(after, unit)}.`;
}

/** `2026-11-20 07:15 UTC` */
function momentText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function totalOf(values: readonly Both[]): Both {
  return { before: sumOf(values, ({ before }) => before), after: sumOf(values, ({ after }) => after) };
}

function sumOf<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

const perSecond = " per second";
const coresUnit = `nanoseconds${perSecond}`;

function valueText(value: number, { type }: ValueType, unit: string): string {
  if (type === "cpu" && unit === coresUnit) return coresText(value);
  const per = unit.endsWith(perSecond) ? perSecond : "";
  return `${formatValue(value, unit.replace(perSecond, ""))}${per}`;
}

/** CPU time per second is a number of cores. */
function coresText(nanosecondsPerSecond: number): string {
  return `${Number((nanosecondsPerSecond / 1e9).toPrecision(2))} cores`;
}
