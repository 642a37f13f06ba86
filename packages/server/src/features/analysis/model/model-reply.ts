import { limits } from "@flamekeep/contract";
import { AnalysisCategory, AnalysisPriority } from "@flamekeep/contract/schemas";
import { z } from "zod";

/** The answer of a model. Every field is required: the strict mode of some providers has no optional ones. */
export const ModelReply = z.object({
  recommendations: z
    .array(
      z.object({
        category: AnalysisCategory,
        priority: AnalysisPriority,
        confidence: z.number().describe("From 0 to 1."),
        issue: z.string().describe("One sentence: the problem."),
        impact: z.string().describe("One or two sentences: what it costs."),
        solution: z.string().describe("What to change, concretely."),
        code_example: z
          .string()
          .nullable()
          .describe("Source in the language of the program that shows the change, or null."),
        functions: z
          .array(z.string())
          .describe("Names of functions exactly as in the data; the cause first."),
      }),
    )
    .describe(
      `Most important first, at most ${limits.recommendationsMax}. Empty if nothing is worth changing.`,
    ),
});
export type ModelReply = z.output<typeof ModelReply>;
export type ModelRecommendation = ModelReply["recommendations"][number];
