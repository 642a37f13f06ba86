import type { Analysis, Recommendation } from "@flamekeep/contract";
import {
  type AnalysedRange,
  type AnalysisRow,
  adviceKeyOf,
  effectOf,
  type FeedbackRow,
  optionsOf,
  resultOf,
  type StoredRecommendation,
  subjectOf,
} from "./store/stored-analysis.ts";

interface Presentation {
  /** All feedback of the organization about the analysed service. */
  readonly feedback: readonly FeedbackRow[];
  readonly canAsk: boolean;
}

export function toAnalysis(row: AnalysisRow, { feedback, canAsk }: Presentation): Analysis {
  const { range, baseline } = subjectOf(row);
  const result = resultOf(row);
  const recommendations = (result?.recommendations ?? []).map((each) =>
    toRecommendation(each, feedbackAbout(each, row.service, feedback)),
  );
  return {
    id: row.id,
    profile_id: row.profileId,
    service: row.service,
    type: row.type,
    display_type: row.displayType,
    range: toRange(range, result?.profiles),
    baseline: toRange(baseline, result?.baselineProfiles),
    status: row.status,
    created_at: row.createdAt,
    completed_at: row.completedAt,
    recommendations,
    summary:
      result === undefined
        ? null
        : {
            total_issues: recommendations.length,
            high_priority: recommendations.filter(({ priority }) => priority === "high").length,
            estimated_improvement: result.estimatedImprovement,
            is_clean: result.isClean,
          },
    comparison: result?.comparison ?? null,
    llm_provider: row.provider,
    model: row.model,
    processing_time_ms: row.processingTimeMs,
    tokens_used: row.tokensUsed,
    error: row.error,
    options: optionsOf(row),
    can_ask: canAsk,
  };
}

function toRange(range: AnalysedRange | undefined, profiles: number | undefined): Analysis["range"] {
  if (range === undefined) return null;
  return {
    from: new Date(range.fromMs).toISOString(),
    to: new Date(range.toMs).toISOString(),
    tags: range.tags,
    profiles: profiles ?? null,
  };
}

function feedbackAbout(
  recommendation: StoredRecommendation,
  service: string,
  feedback: readonly FeedbackRow[],
): FeedbackRow | undefined {
  const key = adviceKeyOf(recommendation);
  return feedback.find(
    (each) => each.service === service && each.rule === key.rule && each.function === key.function,
  );
}

function toRecommendation(stored: StoredRecommendation, feedback: FeedbackRow | undefined): Recommendation {
  return {
    id: stored.id,
    category: stored.category,
    priority: stored.priority,
    confidence: stored.confidence,
    issue: stored.issue,
    impact: stored.impact,
    solution: stored.solution,
    ...(stored.codeExample === undefined ? {} : { code_example: stored.codeExample }),
    evidence: {
      functions: stored.functions.map((each) => ({
        name: each.name,
        file: each.file,
        line: each.line,
        self_percent: toPercent(each.selfShare),
        total_percent: toPercent(each.totalShare),
        verified: each.isVerified,
      })),
      path: stored.path,
      share: stored.share,
      sample_type: stored.sampleType,
    },
    rule: stored.rule,
    feedback:
      feedback === undefined
        ? null
        : {
            state: feedback.state,
            reason: feedback.reason,
            at: feedback.givenAt,
            effect:
              effectOf(feedback) ?? (feedback.state === "done" ? waitingEffect(feedback, stored) : null),
          },
  };
}

/** Before the first measurement. */
function waitingEffect({ function: name }: FeedbackRow, { share }: StoredRecommendation) {
  return {
    status: "waiting" as const,
    function: name,
    share_before: share ?? 0,
    share_after: null,
    change: null,
    is_per_request: false,
    profiles: 0,
    measured_at: null,
    version: null,
    since: null,
  };
}

/** Three decimals: more say nothing about a sampled value. */
function toPercent(share: number): number {
  return Math.round(share * 100_000) / 1000;
}
