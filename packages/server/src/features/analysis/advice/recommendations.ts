import {
  type AnalysisCategory,
  type AnalysisOptions,
  categoryOf,
  findSampleType,
  type ProfileType,
} from "@flamekeep/contract";
import { focusAreasDefault } from "@flamekeep/contract/schemas";
import {
  type AnalysisResult,
  adviceKeyOf,
  type FeedbackRow,
  type StoredRecommendation,
} from "#analysis/store/stored-analysis.ts";
import type { Finding } from "#rules/finding.ts";
import { type Language, missingRulesOf } from "#rules/language.ts";
import type { SubjectFacts } from "#rules/subject.ts";

export type Advice = Omit<StoredRecommendation, "id">;

export function toAdvice(finding: Finding): Advice {
  return {
    category: finding.category,
    priority: finding.priority,
    confidence: finding.confidence,
    issue: finding.issue,
    impact: finding.impact,
    solution: finding.solution,
    ...(finding.codeExample !== undefined && { codeExample: finding.codeExample }),
    rule: finding.rule,
    sampleType: finding.sampleType,
    saving: finding.saving,
    share: Math.min(1, Math.max(0, finding.share)),
    functions: finding.functions.map((each) => ({ ...each, isVerified: true })),
    path: [...finding.path],
  };
}

/** The result of an analysis: the advice that is wanted, and facts about what was examined. */
export function resultOf(
  advice: readonly Advice[],
  filter: AdviceFilter,
  { profiles, baselineProfiles, comparison, language, usage, facts }: ExaminedFacts,
): AnalysisResult {
  const recommendations = selectAdvice(advice, filter);
  const improvement =
    recommendations.length > 0 ? estimatedImprovement(recommendations) : withoutAdvice(advice, language);
  return {
    recommendations,
    estimatedImprovement: improvement,
    isClean: advice.length === 0 && missingRulesOf(language) === undefined,
    profiles,
    baselineProfiles,
    comparison,
    usage,
    instances: facts.instances ?? null,
  };
}

interface ExaminedFacts
  extends Pick<AnalysisResult, "profiles" | "baselineProfiles" | "comparison" | "usage"> {
  readonly language: Language;
  readonly facts: Pick<SubjectFacts, "instances">;
}

export interface AdviceFilter {
  readonly options: AnalysisOptions;
  readonly type: ProfileType;
  /** All feedback about the service. */
  readonly feedback: readonly FeedbackRow[];
}

/** Advice in the requested areas that nobody dismissed, with ids, in the given order. */
export function selectAdvice(
  advice: readonly Advice[],
  { options, type, feedback }: AdviceFilter,
): StoredRecommendation[] {
  const areas = focusAreasOf(options, type);
  const dismissed = feedback.filter(({ state }) => state === "dismissed");
  return advice
    .filter((each) => areas.has(each.category) && !dismissed.some((given) => isAbout(given, each)))
    .slice(0, options.max_recommendations)
    .map(({ codeExample, ...each }, index) => ({
      ...each,
      ...(options.include_code_examples && codeExample !== undefined ? { codeExample } : {}),
      id: `r${index + 1}`,
    }));
}

/** The default areas include the area of the profile's own type: advice about CPU does not help with goroutines. */
export function focusAreasOf(
  { focus_areas: given }: Pick<AnalysisOptions, "focus_areas">,
  type: ProfileType,
): ReadonlySet<AnalysisCategory> {
  const areas = new Set(given);
  const isDefault =
    areas.size === focusAreasDefault.length && focusAreasDefault.every((each) => areas.has(each));
  return isDefault ? areas.add(categoryOf(type)) : areas;
}

/**
 * Whether feedback is about this advice: the same rule and function. A language model does not name rules; its advice is the
 * same if category and function are.
 */
function isAbout(feedback: FeedbackRow, advice: Advice): boolean {
  const key = adviceKeyOf(advice);
  if (feedback.function !== key.function) return false;
  if (feedback.rule === key.rule) return true;
  const isOfModel = advice.rule === null || feedback.rule.startsWith("model:");
  return isOfModel && feedback.category === advice.category;
}

/** Why nothing is recommended. */
function withoutAdvice(advice: readonly Advice[], language: Language): string {
  if (advice.length > 0) return "There are findings, but none in the requested areas that was not dismissed";
  return missingRulesOf(language) ?? "No issues found in this profile";
}

/**
 * A sentence about the savings of all advice, for the sample type with the largest. Each piece of advice saves its share of what the
 * others leave, so that the sum never exceeds the whole.
 */
export function estimatedImprovement(advice: readonly Pick<Advice, "saving" | "sampleType">[]): string {
  const left = new Map<string, number>();
  for (const { saving, sampleType } of advice) {
    if (saving > 0) left.set(sampleType, (left.get(sampleType) ?? 1) * (1 - Math.min(1, saving)));
  }
  const [largest] = [...left].sort(([, a], [, b]) => a - b);
  if (largest === undefined) return "Depends on the load: see each recommendation";
  const [sampleType, remaining] = largest;
  const percent = Math.round((1 - remaining) * 100);
  return `${percent < 1 ? "Less than 1" : `Up to ${percent}`} % of ${findSampleType(sampleType)?.share ?? sampleType}`;
}
