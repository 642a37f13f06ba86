import {
  type AnalysisCategory,
  type Comparison,
  categoryOfType,
  type ProfileType,
} from "@flamekeep/contract";
import { formatValue } from "@flamekeep/flame";
import type { ValueType } from "@flamekeep/profile";
import type { Advice } from "#analysis/advice/recommendations.ts";
import { percent } from "#rules/text.ts";
import { toValueType } from "#store/profiles/profile-row.ts";

type Changed = Comparison["functions"][number];

const adviceMax = 3;
/** Part of the increase below which a function is no reason for it. */
const shareMin = 0.1;
/** An increase below it is noise. */
const increaseMin = 0.05;

/**
 * Advice about the functions whose own value grew most. If a rule found a problem in such a function, its advice is used instead, with
 * the growth added to its impact.
 */
export function growthAdvice(
  { increase, functions, unit, sample_type: sampleType, before, after }: Comparison,
  type: ProfileType,
  found: readonly Advice[],
): Advice[] {
  const rise = after.per_second - before.per_second;
  if (rise <= 0 || (increase !== null && increase < increaseMin)) return [...found];
  const valueType = toValueType(sampleType);
  const grown = functions.filter(({ share }) => share >= shareMin).slice(0, adviceMax);
  const explained = new Set<Advice>();
  const advice = grown.map((changed) => {
    const finding = found.find(({ functions: [culprit] }) => culprit?.name === changed.name);
    const impact = impactOf(changed, valueType, unit);
    if (finding === undefined) {
      return newAdvice(changed, impact, {
        category: categoryOfType[type],
        sampleType: valueType.type,
        whole: after.per_second,
      });
    }
    explained.add(finding);
    return { ...finding, priority: priorityOf(changed), impact: `${impact} ${finding.impact}` };
  });
  return [...advice, ...found.filter((each) => !explained.has(each))];
}

interface AnalysedValue {
  readonly category: AnalysisCategory;
  readonly sampleType: string;
  /** Value of the whole range. */
  readonly whole: number;
}

function newAdvice(changed: Changed, impact: string, { category, sampleType, whole }: AnalysedValue): Advice {
  const partOf = (value: number) => (whole > 0 ? Math.min(1, Math.max(0, value / whole)) : 0);
  const share = partOf(changed.total_after);
  return {
    category,
    priority: priorityOf(changed),
    confidence: Math.min(0.95, 0.5 + changed.share / 2),
    issue: changed.is_new
      ? `${changed.name} is new and explains ${percent(changed.share)} of the increase`
      : `${changed.name} explains ${percent(changed.share)} of the increase`,
    impact,
    solution: changed.is_new
      ? "It did not run in the earlier range. Look at what was deployed in between, and at who calls it now."
      : "Compare its code and its callers with the version of the earlier range: it runs more often, or each call does more.",
    rule: "growth",
    sampleType,
    saving: partOf(changed.self_after - changed.self_before),
    share,
    functions: [
      {
        name: changed.name,
        file: changed.file,
        line: changed.line,
        selfShare: partOf(changed.self_after),
        totalShare: share,
        isVerified: true,
      },
    ],
    path: [],
  };
}

function priorityOf({ share }: Changed): Advice["priority"] {
  if (share >= 0.5) return "high";
  return share >= 0.2 ? "medium" : "low";
}

function impactOf(changed: Changed, { type, unit: amountUnit }: ValueType, unit: string): string {
  const ofInstance = (value: number) =>
    type === "cpu" && unit === coresUnit ? coresText(value) : formatValue(value, unit.replace(perSecond, ""));
  const per = unit.endsWith(perSecond) && unit !== coresUnit ? perSecond : "";
  const { self_before: before, self_after: after } = changed;
  const { per_request_before: requestBefore, per_request_after: requestAfter } = changed;
  const perRequest =
    requestBefore === null || requestAfter === null
      ? ""
      : ` Per request it went from ${formatValue(requestBefore, amountUnit)} to ${formatValue(requestAfter, amountUnit)}.`;
  return `By itself it went from ${ofInstance(before)} to ${ofInstance(after)}${per}.${perRequest}`;
}

const perSecond = " per second";
const coresUnit = `nanoseconds${perSecond}`;

/** CPU time per second is a number of cores. */
function coresText(nanosecondsPerSecond: number): string {
  return `${Number((nanosecondsPerSecond / 1e9).toPrecision(2))} cores`;
}
