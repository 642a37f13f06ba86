import { z } from "zod";
import { Analysis, AnalysisOptions, analysisOptionFields, recommendationStates } from "./analysis.ts";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { DisplayType, profileTypes } from "./profile-types.ts";
import { ProfileParams, ServiceName } from "./profiles.ts";
import { moment } from "./time-range.ts";

const area = "Analysis";

const AnalysisParams = z.object({
  id: z.string().meta({ description: "Id of an analysis.", example: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10" }),
});

export const analyzeProfile = endpoint({
  method: "POST",
  path: "/api/v1/protected/profile/{id}/analyze",
  area,
  summary: "Start an analysis of one profile",
  description:
    "The same request about the same profile returns the analysis that is pending or processing, if it is at most an hour old. After it ended, a new one starts. In the demo the built-in analyzer runs, whatever the server has.",
  auth: "session",
  isOpenToDemo: true,
  params: ProfileParams,
  body: AnalysisOptions,
  reply: Analysis,
  failures: ["not_found", "unprocessable", "rate_limited"],
});

const Span = z.object({ from: moment("from"), to: moment("to").default("now") });

export const analyzeService = endpoint({
  method: "POST",
  path: "/api/v1/protected/service/{service}/analyze",
  area,
  summary: "Start an analysis of a range, or of what changed between two",
  description:
    "All profiles of the type in the range are merged. With `baseline` the two ranges are compared: the functions that grew, per second of one instance and per request, and advice about them.",
  auth: "session",
  isOpenToDemo: true,
  params: z.object({ service: ServiceName }),
  body: z
    .object({
      ...Span.shape,
      type: z.enum([...profileTypes, "wall"]).meta({ example: "cpu" }),
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
});

export const getAnalysis = endpoint({
  method: "GET",
  path: "/api/v1/protected/analysis/{id}",
  area,
  summary: "One analysis, for polling",
  auth: "session",
  params: AnalysisParams,
  reply: Analysis,
  failures: ["not_found"],
});

export const listProfileAnalyses = endpoint({
  method: "GET",
  path: "/api/v1/protected/profile/{id}/analyses",
  area,
  summary: "Analyses of one profile",
  description: "404 if there are none.",
  auth: "session",
  params: ProfileParams,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(limits.analysisListLimitMax).default(limits.analysisListLimit),
  }),
  reply: z.object({ analyses: z.array(Analysis).meta({ description: "Newest first." }) }),
  failures: ["not_found"],
});

export const listServiceAnalyses = endpoint({
  method: "GET",
  path: "/api/v1/protected/service/{service}/analyses",
  area,
  summary: "Analyses of a service's ranges",
  description: "An empty list if there are none. Those of single profiles are listed with their profile.",
  auth: "session",
  params: z.object({ service: ServiceName }),
  query: z.object({
    type: DisplayType.optional(),
    from: moment("from").optional().meta({ description: "Only of ranges that end later.", example: "24h" }),
    to: moment("to").optional().meta({ description: "Only of ranges that begin before.", example: "now" }),
    limit: z.coerce.number().int().min(1).max(limits.analysisListLimitMax).default(limits.analysisListLimit),
  }),
  reply: z.object({ analyses: z.array(Analysis).meta({ description: "Newest first." }) }),
});

export const latestAnalyses = endpoint({
  method: "GET",
  path: "/api/v1/protected/service/{service}/latest-analyses",
  area,
  summary: "The latest analysis of each type of profile of a service",
  description:
    "The latest completed one of single profiles; one that is pending, processing or failed if there is none. 404 if the service has no analysis.",
  auth: "session",
  params: z.object({ service: ServiceName }),
  reply: z.object({
    service: ServiceName,
    latest_analyses: z.partialRecord(DisplayType, Analysis).meta({ description: "By display type." }),
  }),
  failures: ["not_found"],
});

export const giveFeedback = endpoint({
  method: "PUT",
  path: "/api/v1/protected/analysis/{id}/recommendation/{recommendation}/feedback",
  area,
  summary: "Mark a recommendation as done or dismissed, or undo that",
  description:
    "It holds for the service: the same advice about the same function. Dismissed advice does not come back. After `done`, later profiles tell whether it helped.",
  auth: "session",
  params: z.object({
    id: AnalysisParams.shape.id,
    recommendation: z.string().meta({ description: "Id of a recommendation.", example: "r1" }),
  }),
  body: z.object({
    state: z.enum(recommendationStates).meta({ description: "`open` undoes the others.", example: "done" }),
    reason: z
      .string()
      .trim()
      .max(limits.feedbackReasonLengthMax)
      .optional()
      .meta({ description: "Required for `dismissed`.", example: "Runs once a day" }),
  }),
  reply: Analysis,
  failures: ["not_found", "unprocessable"],
});
