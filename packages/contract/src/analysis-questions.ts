import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";

export const answerContentType = "text/event-stream";

/** The JSON of each `data:` line of an answer. The last one is `done` or `failed`. */
export const AnswerEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("done"), tokens_used: z.int().nonnegative() }),
  z.object({ type: z.literal("failed"), error: z.string() }),
]);
export type AnswerEvent = z.output<typeof AnswerEvent>;

export const askAboutAnalysis = endpoint({
  method: "POST",
  path: "/api/v1/protected/analysis/{id}/ask",
  area: "Analysis",
  summary: "Ask the language model about a completed analysis",
  description:
    'The answer is streamed: lines of `data: {"type":"text","text":"…"}`, and at last one of the type `done` with `tokens_used`, or `failed` with `error`. The text is plain text: show it as such. 422 if the server has no language model.',
  auth: "session",
  params: z.object({
    id: z
      .string()
      .meta({ description: "Id of an analysis.", example: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10" }),
  }),
  body: z.object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(limits.questionLengthMax)
      .meta({ example: "Would a sync.Pool help?" }),
    earlier: z
      .array(
        z.object({
          question: z.string().max(limits.questionLengthMax).meta({ example: "Who calls it?" }),
          answer: z.string().max(limits.answerLengthMax).meta({ example: "The price import." }),
        }),
      )
      .max(limits.earlierQuestionsMax)
      .default([])
      .meta({ description: "The conversation so far, oldest first.", example: [] }),
  }),
  reply: z.undefined(),
  downloads: [{ contentType: answerContentType, description: "Events as JSON, see above." }],
  failures: ["not_found", "unprocessable", "rate_limited"],
});
