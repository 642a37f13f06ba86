import type { Analysis, Recommendation } from "@flamekeep/contract";

export const profileId = "3f9a1c07be52d8e4460b7c91691e9f40";
export const createdAt = "2026-11-20T12:00:00.000Z";

export const advice: Recommendation = {
  id: "r1",
  category: "cpu_optimization",
  priority: "high",
  confidence: 0.864,
  issue: "Templates are parsed for every request",
  impact: "About 31 % of CPU.",
  solution: "Parse the template once.",
  code_example: "var page = template.Must(template.New(name).Parse(text))",
  evidence: {
    functions: [
      {
        name: "shop.(*Catalogue).Render",
        file: "/src/shop/catalogue.go",
        line: 87,
        self_percent: 1.2,
        total_percent: 31,
        verified: true,
      },
      { name: "shop.invented", file: "", line: 0, self_percent: 0, total_percent: 0, verified: false },
    ],
    path: ["main.main", "shop.(*Catalogue).Render"],
    share: 0.31,
    sample_type: "cpu",
  },
  rule: "template-parse",
  feedback: null,
};

export const completed: Analysis = {
  id: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10",
  profile_id: profileId,
  service: "shop",
  type: "cpu",
  display_type: "cpu",
  range: null,
  baseline: null,
  status: "completed",
  created_at: createdAt,
  completed_at: createdAt,
  recommendations: [advice],
  summary: { total_issues: 1, high_priority: 1, estimated_improvement: "Up to 31 % of CPU", is_clean: false },
  comparison: null,
  llm_provider: "builtin",
  model: null,
  processing_time_ms: 214,
  tokens_used: 0,
  error: null,
  options: {
    include_code_examples: true,
    focus_areas: ["cpu_optimization", "memory_optimization"],
    max_recommendations: 10,
    analyzer: "default",
  },
  can_ask: false,
};

export const pending: Analysis = { ...completed, status: "pending", summary: null, recommendations: [] };

/** Two ranges of checkout, compared. */
export const compared: Analysis = {
  ...completed,
  profile_id: null,
  service: "checkout",
  range: { from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T12:00:00.000Z", tags: {}, profiles: 60 },
  baseline: { from: "2026-11-20T10:00:00.000Z", to: "2026-11-20T11:00:00.000Z", tags: {}, profiles: 58 },
  comparison: {
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    before: { per_second: 410_900_000, per_request: 3_120_000 },
    after: { per_second: 695_900_000, per_request: 5_230_000 },
    increase: 0.694,
    requests_per_second_before: 131.5,
    requests_per_second_after: 133.1,
    onset: { at: "2026-11-20T11:00:10.000Z", version: "v1.9.0" },
    functions: Array.from({ length: 7 }, (_, index) => ({
      name: `shop.grown${index}`,
      file: "/src/shop/prices.go",
      line: 41,
      ...{
        self_before: 120_400_000,
        self_after: 354_100_000,
        total_before: 131_000_000,
        total_after: 407_450_000,
      },
      per_request_before: null,
      per_request_after: null,
      share: 0.82 - index / 10,
      is_new: index === 1,
    })),
  },
};
