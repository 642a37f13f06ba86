import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { moment } from "#base/moments.ts";
import { DisplayType, GraphType } from "#base/profile-type-schemas.ts";
import { ProfileParams, ServiceName, wholeNumber } from "#base/values.ts";
import {
  Analysis,
  AnalysisOptions,
  analysisOptionFields,
  FeedbackReason,
  recommendationStates,
} from "./analysis.ts";
import * as calls from "./calls.ts";
import { answerContentType } from "./calls.ts";

const AnalysisParams = z.object({
  id: z.string().meta({ description: "Id of an analysis.", example: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10" }),
});

/** A page that asks for analyses which need not exist should not log a failed request. */
const WithoutAnalyses = z.enum(["not_found", "empty"]).default("not_found").meta({
  description: "The reply without analyses: `not_found` is 404, `empty` is 200 with an empty list.",
  example: "empty",
});

const Span = z.object({ from: moment("from"), to: moment("to").default("now") });

/** The JSON of each `data:` line of an answer. The last one is `done` or `failed`. */
export const AnswerEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("done"), tokens_used: z.int().nonnegative() }),
  z.object({ type: z.literal("failed"), error: z.string() }),
]);
export type AnswerEvent = z.output<typeof AnswerEvent>;

const endpoint = endpointIn("Analysis");

export const analysisEndpoints = [
  endpoint(calls.analyzeProfile, {
    summary: "Start an analysis of one profile",
    description:
      "The same request returns a pending or processing analysis of the last hour. Otherwise a new one starts. The demo always uses the built-in analyzer.",
    isOpenToDemo: true,
    isOpenToAgents: true,
    params: ProfileParams,
    body: AnalysisOptions,
    reply: Analysis,
    failures: ["not_found", "unprocessable", "rate_limited"],
  }),
  endpoint(calls.analyzeService, {
    summary: "Start an analysis of a range, or of what changed between two",
    description:
      "All profiles of the type in the range are merged. With `baseline` the two ranges are compared: the functions that grew, per second of one instance and per request, and advice about them.",
    isOpenToDemo: true,
    isOpenToAgents: true,
    params: z.object({ service: ServiceName }),
    body: z
      .object({
        ...Span.shape,
        type: GraphType,
        tags: z
          .record(z.string().max(limits.tagNameLengthMax), z.string().max(limits.tagNameLengthMax))
          .default({})
          .meta({ description: "Only profiles with all of these tags.", example: { region: "eu" } }),
        baseline: Span.optional().meta({ description: "The range to compare with, usually an earlier one." }),
        ...analysisOptionFields,
      })
      .meta({ id: "RangeAnalysisRequest" }),
    reply: Analysis,
    failures: ["not_found", "unprocessable", "rate_limited"],
  }),
  endpoint(calls.getAnalysis, {
    summary: "One analysis, for polling",
    params: AnalysisParams,
    reply: Analysis,
    failures: ["not_found"],
  }),
  endpoint(calls.listProfileAnalyses, {
    summary: "Analyses of one profile",
    description: "404 if there are none, unless `without` is `empty`.",
    params: ProfileParams,
    query: z.object({
      without: WithoutAnalyses,
      limit: wholeNumber(limits.analysisListLimitMax, limits.analysisListLimit),
    }),
    reply: z.object({ analyses: z.array(Analysis).meta({ description: "Newest first." }) }),
    failures: ["not_found"],
  }),
  endpoint(calls.listServiceAnalyses, {
    summary: "Analyses of a service's ranges",
    description: "Empty without analyses. Analyses of single profiles are listed with their profile.",
    params: z.object({ service: ServiceName }),
    query: z.object({
      type: DisplayType.optional(),
      from: moment("from").optional().meta({ description: "Only of ranges that end later.", example: "24h" }),
      to: moment("to").optional().meta({ description: "Only of ranges that begin before.", example: "now" }),
      limit: wholeNumber(limits.analysisListLimitMax, limits.analysisListLimit),
    }),
    reply: z.object({ analyses: z.array(Analysis).meta({ description: "Newest first." }) }),
  }),
  endpoint(calls.latestAnalyses, {
    summary: "The latest analysis of each type of profile of a service",
    description:
      "The latest completed analysis of a single profile, or else the latest of any state. 404 if the service has no analysis, unless `without` is `empty`.",
    params: z.object({ service: ServiceName }),
    query: z.object({ without: WithoutAnalyses }),
    reply: z.object({
      service: ServiceName,
      latest_analyses: z.partialRecord(DisplayType, Analysis).meta({ description: "By display type." }),
    }),
    failures: ["not_found"],
  }),
  endpoint(calls.giveFeedback, {
    summary: "Mark a recommendation as accepted, done or dismissed, or undo that",
    description:
      "Applies to the same advice about the same function in the service. Dismissed advice is not repeated. After `done`, later profiles measure the effect; after `accepted`, those since the next deploy.",
    isOpenToAgents: true,
    params: z.object({
      id: AnalysisParams.shape.id,
      recommendation: z.string().meta({ description: "Id of a recommendation.", example: "r1" }),
    }),
    body: z.object({
      state: z.enum(recommendationStates).meta({ description: "`open` undoes the others.", example: "done" }),
      reason: FeedbackReason.optional(),
    }),
    reply: Analysis,
    failures: ["not_found", "unprocessable"],
  }),
  endpoint(calls.askAboutAnalysis, {
    summary: "Ask the language model about a completed analysis",
    description:
      'The answer is streamed: lines of `data: {"type":"text","text":"…"}`, and at last one of the type `done` with `tokens_used`, or `failed` with `error`. The text is plain text: show it as such. 422 if the server has no language model.',
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
  }),
] as const;
