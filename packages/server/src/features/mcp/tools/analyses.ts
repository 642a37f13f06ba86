import {
  type Analysis,
  analyzeProfile,
  analyzeService,
  getAnalysis,
  giveFeedback,
  latestAnalyses,
  limits,
  listServiceAnalyses,
  type Recommendation,
  readableLine,
} from "@flamekeep/contract";
import { z } from "zod";
import { printableName } from "#mcp/text/quantity.ts";
import { fields, tool } from "./tool.ts";

/** Analyses of ranges, the newest ones. */
const rangesMax = 5;

export const latestAnalysesTool = tool({
  name: "latest_analyses",
  title: "Findings of analyses",
  description:
    "Use it to read findings: the latest analysis of each type of profile of a service and of its ranges, or one analysis by its id, with the functions, the proposed change and what people said about it.",
  input: z.object({
    service: fields.service.optional(),
    analysis_id: z.string().max(64).optional().describe("Id of one analysis, instead of service."),
  }),
  async run(read, { service, analysis_id: id }) {
    if (id !== undefined) return analysisText(await read(getAnalysis, { params: { id } }));
    if (service === undefined) return "Give service or analysis_id.";
    const [{ latest_analyses: latest }, { analyses: ofRanges }] = await Promise.all([
      read(latestAnalyses, { params: { service }, query: { without: "empty" } }),
      read(listServiceAnalyses, { params: { service }, query: { limit: rangesMax } }),
    ]);
    const texts = [...Object.values(latest).filter((each) => each !== undefined), ...ofRanges].map(
      analysisText,
    );
    return texts.length === 0
      ? "No analysis of this service. Start one: start_analysis, or in the app."
      : texts.join("\n\n");
  },
});

export const startAnalysis = tool({
  name: "start_analysis",
  title: "Start an analysis",
  description:
    "Use it when a service has no recent findings: analyses the profiles of a range, what changed since a baseline, or one profile. It takes some seconds; read it with latest_analyses.",
  writes: analyzeService,
  input: z.object({
    service: fields.service.optional(),
    type: fields.type.default("cpu"),
    profile_id: z
      .string()
      .max(64)
      .optional()
      .describe("Id of one profile, instead of service, type and range."),
    from: fields.from,
    to: fields.to,
    baseline_from: fields.from.unwrap().optional().describe("Start of the earlier range to compare with."),
    baseline_to: fields.to.unwrap().optional(),
    tags: fields.tags,
  }),
  async run(read, { service, profile_id: id, baseline_from, baseline_to, ...body }) {
    if (id !== undefined) return startedText(await read.write(analyzeProfile, { params: { id } }));
    if (service === undefined) return "Give service, or profile_id.";
    const baseline = baseline_from !== undefined && {
      baseline: { from: baseline_from, to: baseline_to ?? body.from },
    };
    return startedText(
      await read.write(analyzeService, { params: { service }, body: { ...body, ...baseline } }),
    );
  },
});

function startedText({ id, status }: Analysis): string {
  return `Analysis ${id} is ${status}. Read it: latest_analyses with this analysis_id.`;
}

export const markFinding = tool({
  name: "mark_finding",
  title: "Mark a finding",
  description:
    "Use it after you changed the code as a finding says (done: its effect is measured on later profiles), or when it does not apply (dismissed, with a reason). open undoes it.",
  writes: giveFeedback,
  input: z.object({
    analysis_id: z.string().max(64).describe("Id of the analysis, from latest_analyses."),
    finding: z.string().max(64).describe("Id of the finding in it, such as r1."),
    state: z.enum(["done", "dismissed", "open"]),
    reason: z.string().max(limits.feedbackReasonLengthMax).optional().describe("Required for dismissed."),
  }),
  async run(read, { analysis_id: id, finding, ...body }) {
    const params = { id, recommendation: finding };
    const { recommendations } = await read.write(giveFeedback, { params, body });
    return recommendations
      .filter((each) => each.id === finding)
      .map(adviceText)
      .join("\n");
  },
});

function analysisText(analysis: Analysis): string {
  const { id, display_type: type, status, created_at: at, recommendations, error } = analysis;
  const subject = `${type}${rangeText(analysis)}, ${at}, ${status}, analysis_id ${id}:`;
  return [
    subject,
    ...(recommendations.length === 0 ? [withoutAdvice(status, error)] : recommendations.map(adviceText)),
  ].join("\n");
}

function withoutAdvice(status: Analysis["status"], error: string | null): string {
  if (status === "completed") return "nothing to improve";
  return status === "failed"
    ? readableLine(error ?? "it failed")
    : "not finished: read it again in some seconds";
}

function rangeText({ range, baseline }: Analysis): string {
  if (range === null) return "";
  const span = `${range.from} to ${range.to}`;
  return baseline === null
    ? ` from ${span}`
    : ` from ${span} compared with ${baseline.from} to ${baseline.to}`;
}

function adviceText(recommendation: Recommendation): string {
  const { id, priority, issue, impact, solution, evidence } = recommendation;
  const names = evidence.functions.map(({ name, file, line }) => {
    const place = file === "" ? "" : ` (${printableName(file)}:${line})`;
    return `${printableName(name)}${place}`;
  });
  // The texts contain names of the profiled program.
  const [first, second, third] = [issue, impact, solution].map(readableLine);
  return `- ${readableLine(id)} ${priority}${feedbackText(recommendation)}: ${first} ${second}\n  ${names.join(", ")}\n  ${third}`;
}

/** `, dismissed: Runs once a day`, so that an agent does not propose it again. */
function feedbackText({ feedback }: Recommendation): string {
  if (feedback === null) return "";
  if (feedback.state === "dismissed") return `, dismissed: ${readableLine(feedback.reason ?? "")}`;
  return `, done${feedback.effect === null ? "" : `, ${feedback.effect.status}`}`;
}
