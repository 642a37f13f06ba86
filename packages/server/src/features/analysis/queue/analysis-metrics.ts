/** Counts ended analyses, by provider and outcome. */
export const endedAnalyses = {
  name: "flamekeep_analyses_total",
  help: "Analyses that ended, by provider and outcome.",
} as const;

/** Counts tokens of the language model, for analyses and questions. */
export const modelTokens = {
  name: "flamekeep_llm_tokens_total",
  help: "Tokens that the language model used.",
} as const;
