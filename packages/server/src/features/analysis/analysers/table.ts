import { modelAnalyser } from "#analysis/model/analyser.ts";
import type { ModelSource } from "#analysis/model/model-source.ts";
import type { Context } from "#context";
import type { Analysers } from "./analyser.ts";
import { builtinAnalyser } from "./builtin.ts";

/** The analysers that this server has: the built-in one, and the configured language model. */
export function createAnalysers(ctx: Context, source: ModelSource): Analysers {
  const builtin = builtinAnalyser(ctx);
  const { provider } = ctx.config.llm;
  return provider === "builtin" ? { builtin } : { builtin, [provider]: modelAnalyser(ctx, source) };
}
