import { estimatedImprovement } from "#analysis/advice/estimate.ts";
import { type Advice, selectAdvice } from "#analysis/advice/recommendations.ts";
import { type Analyser, SpentError } from "#analysis/analysers/analyser.ts";
import { examine } from "#analysis/analysers/examine.ts";
import { feedbackOf } from "#analysis/queries.ts";
import type { Context } from "#context";
import { functionRef } from "#rules/finding.ts";
import type { ModelSource } from "./model-source.ts";
import { analysisPrompt } from "./prompt.ts";
import { promptInput } from "./prompt-input.ts";
import { namedFunctions, verifiedAdvice } from "./verify-advice.ts";

/** A language model that gets a digest of the profile and the findings of the rules as hints. Its evidence is checked. */
export function modelAnalyser(ctx: Context, { open, call = {} }: ModelSource): Analyser {
  return async (task, signal) => {
    const { row, options } = task;
    // The SDK is loaded here, because most servers have no language model.
    const { generateReply } = await import("./call-model.ts");
    const [examined, feedback, model] = await Promise.all([
      examine(ctx, task, signal),
      feedbackOf(ctx.rows, row.orgId, [row.service]),
      open(),
    ]);
    const prompt = analysisPrompt(await promptInput(ctx, task, examined));
    const { reply, tokensUsed } = await generateReply(model, prompt, { ...call, signal });
    const { recommendations } = reply;
    const advice = await withSpentTokens(tokensUsed, async () => {
      const names = [...new Set(recommendations.flatMap(namedFunctions))];
      const places = await examined.locate(names);
      const located = new Map(names.map((name, index) => [name, places[index]]));
      return withSavings(verifiedAdvice(recommendations, located, examined.sampleType), examined.advice);
    });
    const selected = selectAdvice(advice, { options, type: row.type, feedback });
    const { comparison, profiles, baselineProfiles } = examined;
    return {
      result: {
        recommendations: selected,
        estimatedImprovement: estimatedImprovement(selected),
        profiles,
        baselineProfiles,
        comparison,
      },
      tokensUsed,
    };
  };
}

/** Runs the rest of an analysis; the tokens count even if it fails. */
async function withSpentTokens<T>(tokensUsed: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new SpentError(error, tokensUsed);
  }
}

/** Savings are computed by rules only: advice about the same function and category has the rule's saving. */
function withSavings(advice: readonly Advice[], hints: readonly Advice[]): Advice[] {
  const refOf = ({ functions: [first] }: Advice) => first && functionRef(first);
  return advice.map((each) => {
    const hint = hints.find((hint) => hint.category === each.category && refOf(hint) === refOf(each));
    return hint?.sampleType === each.sampleType ? { ...each, saving: hint.saving } : each;
  });
}
