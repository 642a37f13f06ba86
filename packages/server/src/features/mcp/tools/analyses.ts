import {
  type Analysis,
  analyzeProfile,
  analyzeService,
  type Finding,
  type FindingCost,
  getAnalysis,
  giveFeedback,
  latestAnalyses,
  limits,
  listFindings,
  listServiceAnalyses,
  type Recommendation,
  readableLine,
} from "@flamekeep/contract";
import { z } from "zod";
import { printableName, quantityText } from "#mcp/text/quantity.ts";
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
    "Use it after you changed the code as a finding says (done: its effect is measured on later profiles; accepted: after the next deploy), or when it does not apply (dismissed, with a reason). open undoes it.",
  writes: giveFeedback,
  input: z.object({
    analysis_id: z.string().max(64).describe("Id of the analysis, from latest_analyses."),
    finding: z.string().max(64).describe("Id of the finding in it, such as r1."),
    state: z.enum(["accepted", "done", "dismissed", "open"]),
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

/** With the functions and the analysis, one fits into 400 bytes. */
const findingsMax = 10;

export const listFindingsTool = tool({
  name: "list_findings",
  title: "What all services could save",
  description:
    "Use it to choose what to fix: open and accepted findings of all services or one, largest savings first, with function, file and line, what they cost now, owner, state and effect. Details: latest_analyses with the analysis_id.",
  input: z.object({ service: fields.service.optional() }),
  async run(read, { service }) {
    const { findings, totals } = await read(listFindings, {
      query: { limit: findingsMax, ...(service !== undefined && { service }) },
    });
    if (findings.length === 0) return "No open findings. Start an analysis of a service: start_analysis.";
    const sum = `${quantityText(totals.cores, "cores")} and ${quantityText(totals.bytes, "bytes")}`;
    const head = `${totals.findings} open or accepted findings, which save ${sum} together:`;
    return [head, ...findings.map(findingText)].join("\n");
  },
});

function findingText(finding: Finding): string {
  const {
    service,
    display_type: type,
    priority,
    issue,
    function: found,
    cost,
    saving,
    state,
    owner,
  } = finding;
  const place = found === null || found.file === "" ? "" : ` (${printableName(found.file)}:${found.line})`;
  const where = found === null ? "" : ` in ${printableName(found.name)}${place}`;
  const costs = cost === null ? "" : `; costs ${usedText(cost)}`;
  const saves = saving === null ? "" : `, saves ${usedText(saving)}`;
  const effect = finding.effect === null ? "" : `, ${finding.effect.status}`;
  const who = owner === null ? "" : `, owner ${readableLine(owner.name)}`;
  const id = `analysis_id ${finding.analysis_id} finding ${readableLine(finding.recommendation_id)}`;
  return `- ${printableName(service)} ${type} ${priority}: ${readableLine(issue)}${where}${costs}${saves}; ${state}${effect}${who}; ${id}`;
}

function usedText({ value, unit }: Pick<FindingCost, "value" | "unit">): string {
  if (unit === "bytes_per_second") return `${quantityText(value, "bytes")}/s`;
  if (unit === "milliseconds_per_second") return `${quantityText(value * 1e6, "nanoseconds")} each second`;
  return quantityText(value, unit);
}

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
  return `, ${feedback.state}${feedback.effect === null ? "" : `, ${feedback.effect.status}`}`;
}
