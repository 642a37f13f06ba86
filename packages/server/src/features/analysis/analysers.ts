import { resultOf } from "#analysis/advice/recommendations.ts";
import { modelAnalyser } from "#analysis/model/analyser.ts";
import type { ModelSource } from "#analysis/model/prompt.ts";
import { feedbackOf } from "#analysis/store/queries.ts";
import type { Context } from "#context";
import type { Analyser, Analysers } from "./analysers/analyser.ts";
import { examine } from "./analysers/examine.ts";

/** The analysers that this server has: the built-in one, and the configured language model. */
export function createAnalysers(ctx: Context, source: ModelSource): Analysers {
  const builtin = builtinAnalyser(ctx);
  const { provider } = ctx.config.llm;
  return provider === "builtin" ? { builtin } : { builtin, [provider]: modelAnalyser(ctx, source) };
}

/** Rules over the profile and its neighbours: deterministic, without a key or a network. */
function builtinAnalyser(ctx: Context): Analyser {
  return async (task, signal) => {
    const { row, options } = task;
    const [examined, feedback] = await Promise.all([
      examine(ctx, task, signal),
      feedbackOf(ctx.rows, row.orgId, [row.service]),
    ]);
    const result = resultOf(examined.advice, { options, type: row.type, feedback }, examined);
    return { result, tokensUsed: 0 };
  };
}
