import { z } from "zod";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { DisplayType, ProfileType } from "#base/profile-type-schemas.ts";
import { Count, ProfileId, ServiceName } from "#base/values.ts";
import { Comparison } from "./comparison.ts";

export const analysisStatuses = ["pending", "processing", "completed", "failed"] as const;
export type AnalysisStatus = (typeof analysisStatuses)[number];

export const analysisCategories = [
  "cpu_optimization",
  "memory_optimization",
  "goroutine_optimization",
  "mutex_optimization",
  "other",
] as const;

export const AnalysisCategory = z.enum(analysisCategories).meta({ example: "cpu_optimization" });
export type AnalysisCategory = z.output<typeof AnalysisCategory>;

export const analysisPriorities = ["high", "medium", "low"] as const;

export const AnalysisPriority = z.enum(analysisPriorities).meta({ example: "high" });
export type AnalysisPriority = z.output<typeof AnalysisPriority>;

/** `builtin` works without a key or a network; the others are language models. */
export const analysisProviders = ["builtin", "anthropic", "openai"] as const;
export type AnalysisProvider = (typeof analysisProviders)[number];

/** The focus areas of an analysis that names none. */
export const focusAreasDefault = [
  "cpu_optimization",
  "memory_optimization",
] as const satisfies readonly AnalysisCategory[];

export const analysisOptionFields = {
  include_code_examples: z.boolean().default(true).meta({
    description: "false omits `code_example`.",
    example: true,
  }),
  focus_areas: z
    .array(AnalysisCategory)
    .min(1)
    .max(analysisCategories.length)
    .default([...focusAreasDefault])
    .meta({
      description:
        "Only recommendations of these categories. The default also includes the category of the profile's own type: goroutine_optimization for goroutine and goroutine_leak, mutex_optimization for mutex and block, other for custom.",
      example: ["cpu_optimization", "memory_optimization"],
    }),
  max_recommendations: z
    .int()
    .min(1)
    .max(limits.recommendationsMax)
    .default(limits.recommendations)
    .meta({ example: 10 }),
  analyzer: z.enum(["default", "builtin"]).default("default").meta({
    description:
      "`default` is the server's language model, or the built-in analyzer without one; `builtin` is always the built-in analyzer, which is free.",
    example: "default",
  }),
};

export const AnalysisOptions = z.object(analysisOptionFields).meta({ id: "AnalysisOptions" });
export type AnalysisOptions = z.output<typeof AnalysisOptions>;

const Percent = z.number().meta({ description: "Of the whole profile.", example: 11.4 });

export const EvidenceFunction = z
  .object({
    name: z.string().meta({ example: "shop.(*Catalogue).Render" }),
    file: z
      .string()
      .meta({ description: "Empty if the profile has none.", example: "/src/shop/catalogue.go" }),
    line: Count.meta({ description: "0 if the profile has none.", example: 87 }),
    self_percent: Percent.meta({ example: 1.2 }),
    total_percent: Percent,
    verified: z.boolean().meta({
      description:
        "Whether the profile contains the function. Percentages are computed from the profile, never taken from a model; 0 if it does not.",
      example: true,
    }),
  })
  .meta({ id: "EvidenceFunction" });

/** `accepted`: somebody will do it. */
export const recommendationStates = ["open", "accepted", "done", "dismissed"] as const;

export const Effect = z
  .object({
    status: z.enum(["waiting", "improved", "unchanged", "worse"]).meta({
      description: "`waiting` until enough later profiles arrived.",
      example: "improved",
    }),
    function: z.string().meta({ example: "shop.(*Catalogue).Render" }),
    share_before: z
      .number()
      .meta({ description: "Of the profiles before it was marked done, 0 to 1.", example: 0.31 }),
    share_after: z
      .number()
      .nullable()
      .meta({ description: "Of the profiles since then; null while waiting.", example: 0.04 }),
    change: z.number().nullable().meta({
      description:
        "Of the function's value per second of one instance, and per request where the service sends HTTP metrics: -0.8 is 80 % less. null while waiting.",
      example: -0.86,
    }),
    is_per_request: z.boolean().meta({ example: true }),
    profiles: Count.meta({ description: "Profiles since it was marked done.", example: 14 }),
    measured_at: Instant.nullable(),
    version: z.string().nullable().default(null).meta({
      description:
        "The deploy since which accepted advice is measured; null if it was marked as done without one.",
      example: "v1.9.0",
    }),
    since: Instant.nullable().default(null).meta({
      description: "The first profile of that deploy; null without one.",
    }),
  })
  .meta({ id: "RecommendationEffect" });
export type Effect = z.output<typeof Effect>;

export const FeedbackReason = z
  .string()
  .trim()
  .max(limits.feedbackReasonLengthMax)
  .meta({ description: "Required for `dismissed`.", example: "Runs once a day" });

export const Feedback = z
  .object({
    state: z.enum(recommendationStates).exclude(["open"]).meta({ example: "done" }),
    reason: z.string().nullable().meta({ example: null }),
    at: Instant,
    effect: Effect.nullable().meta({
      description: "Whether it helped; null unless it is done, or accepted with a deploy since then.",
    }),
  })
  .meta({ id: "RecommendationFeedback" });

export const Recommendation = z
  .object({
    id: z.string().meta({ description: "Unique within the analysis.", example: "r1" }),
    category: AnalysisCategory,
    priority: AnalysisPriority,
    confidence: z.number().min(0).max(1).meta({ example: 0.86 }),
    issue: z.string().meta({ example: "Templates are parsed for every request" }),
    impact: z.string().meta({ example: "About 31 % of CPU, 0.12 cores per instance." }),
    solution: z.string().meta({ example: "Parse the template once at start and execute it per request." }),
    code_example: z
      .string()
      .optional()
      .meta({ example: 'var page = template.Must(template.ParseFiles("page.html"))' }),
    evidence: z
      .object({
        functions: z.array(EvidenceFunction).meta({ description: "The first one is the culprit." }),
        path: z.array(z.string()).meta({
          description: "The heaviest stack that shows it, root first.",
          example: ["main.main", "shop.serve"],
        }),
        share: z.number().min(0).max(1).nullable().meta({
          description: "Affected part of the profile; null if no named function is in the profile.",
          example: 0.31,
        }),
        sample_type: z.string().meta({
          description: "The sample type of the percentages; a flame graph can show it.",
          example: "cpu",
        }),
      })
      .meta({ id: "Evidence" }),
    rule: z
      .string()
      .nullable()
      .meta({ description: "Rule of the built-in analyzer; null from a model.", example: "template-parse" }),
    feedback: Feedback.nullable().meta({ description: "null while it is open.", example: null }),
  })
  .meta({ id: "Recommendation" });
export type Recommendation = z.output<typeof Recommendation>;

export const AnalysedRange = z
  .object({
    from: Instant,
    to: Instant,
    tags: z.record(z.string(), z.string()).meta({ example: { region: "eu" } }),
    profiles: Count.nullable().meta({ description: "Merged profiles; null until it is processed." }),
  })
  .meta({ id: "AnalysedRange" });

export const Analysis = z
  .object({
    id: z.uuid().meta({ example: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10" }),
    profile_id: ProfileId.nullable().meta({
      description: "null for an analysis of a range.",
    }),
    service: ServiceName,
    type: ProfileType,
    display_type: DisplayType,
    range: AnalysedRange.nullable().meta({ description: "null for an analysis of one profile." }),
    baseline: AnalysedRange.nullable().meta({
      description: "The baseline range, usually an earlier one; null without a comparison.",
    }),
    status: z.enum(analysisStatuses).meta({ example: "completed" }),
    created_at: Instant,
    completed_at: Instant.nullable().meta({ description: "When it completed or failed." }),
    recommendations: z.array(Recommendation).meta({ description: "Most important first." }),
    summary: z
      .object({
        total_issues: Count.meta({ example: 3 }),
        high_priority: Count.meta({ example: 1 }),
        estimated_improvement: z.string().meta({
          description: "Text for users. Says so if there is nothing to improve.",
          example: "Up to 42 % of CPU",
        }),
        is_clean: z.boolean().meta({
          description: "Whether nothing was found, in a language for which there are rules.",
          example: false,
        }),
      })
      .nullable()
      .meta({ description: "null until it is completed." }),
    comparison: Comparison.nullable().meta({
      description: "What changed between the two ranges; null without a baseline, and until completed.",
    }),
    llm_provider: z.enum(analysisProviders).meta({ example: "builtin" }),
    model: z.string().nullable().meta({ description: "null for `builtin`.", example: null }),
    processing_time_ms: z.number().nullable().meta({ example: 214 }),
    tokens_used: Count.meta({ description: "Of the language model; 0 for `builtin`.", example: 0 }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why it failed and what to do, as text for users.", example: null }),
    options: AnalysisOptions,
    can_ask: z.boolean().meta({
      description: "Whether the caller can ask questions about it: a language model is configured.",
      example: false,
    }),
  })
  .meta({ id: "Analysis" });
export type Analysis = z.output<typeof Analysis>;
