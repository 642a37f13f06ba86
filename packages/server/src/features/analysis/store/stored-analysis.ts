import {
  AnalysisCategory,
  AnalysisOptions,
  AnalysisPriority,
  Comparison,
  Effect,
  findingUnits,
} from "@flamekeep/contract/schemas";
import type { Selectable } from "kysely";
import { z } from "zod";
import { functionRef } from "#rules/finding.ts";
import type { Database } from "#store/row/row-store.ts";

export type AnalysisRow = Selectable<Database["analyses"]>;
export type FeedbackRow = Selectable<Database["recommendationFeedback"]>;

const Range = z.object({
  fromMs: z.number(),
  toMs: z.number(),
  /** Only of profiles with all of these tags. */
  tags: z.record(z.string(), z.string()),
});
export type AnalysedRange = z.output<typeof Range>;

/** The JSON of the column `subject`: empty for one profile. */
const Subject = z.object({
  range: Range.optional(),
  baseline: Range.optional(),
});
export type AnalysisSubject = z.output<typeof Subject>;

/** Shares are parts of the whole profile, 0 to 1. */
const StoredFunction = z.object({
  name: z.string(),
  file: z.string(),
  line: z.number(),
  selfShare: z.number(),
  totalShare: z.number(),
  isVerified: z.boolean(),
});

export const StoredRecommendation = z.object({
  id: z.string(),
  category: AnalysisCategory,
  priority: AnalysisPriority,
  confidence: z.number(),
  issue: z.string(),
  impact: z.string(),
  solution: z.string(),
  codeExample: z.string().optional(),
  rule: z.string().nullable(),
  /** Name of the sample type that the shares are parts of. */
  sampleType: z.string(),
  /** Share that following the advice is expected to save; 0 where no estimate is possible. */
  saving: z.number(),
  share: z.number().nullable(),
  functions: z.array(StoredFunction),
  path: z.array(z.string()),
});
export type StoredRecommendation = z.output<typeof StoredRecommendation>;

/** The JSON of the column `result`. */
const StoredResult = z.object({
  recommendations: z.array(StoredRecommendation),
  estimatedImprovement: z.string(),
  /** Whether nothing was found. Results of earlier versions do not say so. */
  isClean: z.boolean().default(false),
  /** Merged profiles of the range and of its baseline; 0 without them. */
  profiles: z.number(),
  baselineProfiles: z.number(),
  comparison: Comparison.nullable(),
  /** By name of the sample type: what one instance uses. */
  usage: z.record(z.string(), z.object({ value: z.number(), unit: z.enum(findingUnits) })).default({}),
  /** null where the profiles do not tell. */
  instances: z.number().nullable().default(null),
});
export type AnalysisResult = z.output<typeof StoredResult>;

export function subjectOf(row: Pick<AnalysisRow, "subject">): AnalysisSubject {
  return Subject.parse(JSON.parse(row.subject));
}

export function optionsOf(row: Pick<AnalysisRow, "options">): AnalysisOptions {
  return AnalysisOptions.parse(JSON.parse(row.options));
}

/** Undefined until the analysis is completed. */
export function resultOf(row: Pick<AnalysisRow, "result">): AnalysisResult | undefined {
  return row.result === null ? undefined : StoredResult.parse(JSON.parse(row.result));
}

export function effectOf(row: Pick<FeedbackRow, "effect">): Effect | undefined {
  return row.effect === null ? undefined : Effect.parse(JSON.parse(row.effect));
}

/** The identity of a piece of advice within a service: the same rule about the same function. */
export interface AdviceKey {
  readonly rule: string;
  readonly function: string;
}

export function adviceKeyOf({
  rule,
  category,
  functions: [culprit],
}: Pick<StoredRecommendation, "rule" | "category" | "functions">): AdviceKey {
  return { rule: rule ?? `model:${category}`, function: culprit === undefined ? "" : functionRef(culprit) };
}
