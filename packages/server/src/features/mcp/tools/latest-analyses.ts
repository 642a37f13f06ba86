import {
  type Analysis,
  latestAnalyses,
  listServiceAnalyses,
  type Recommendation,
  readableLine,
} from "@flamekeep/contract";
import { z } from "zod";
import { Failure } from "#failure";
import { printableName } from "#mcp/text/names.ts";
import { fields, type Read, tool } from "./tool.ts";

/** Analyses of ranges, the newest ones. */
const rangesMax = 5;

export const latestAnalysesTool = tool({
  name: "latest_analyses",
  title: "Latest analyses",
  description:
    "The latest analysis of each type of profile of a service, and the latest of its ranges: what to improve or what changed, the functions it is about, the solution, and what people said about it.",
  input: z.object({ service: fields.service }),
  async run(read, { service }) {
    const [latest, { analyses: ofRanges }] = await Promise.all([
      readLatest(read, service),
      read(listServiceAnalyses, { params: { service }, query: { limit: rangesMax } }),
    ]);
    const texts = [...latest, ...ofRanges].map(textOf);
    return texts.length === 0
      ? "No analysis of this service. People start them in the app."
      : texts.join("\n\n");
  },
});

async function readLatest(read: Read, service: string): Promise<Analysis[]> {
  try {
    const { latest_analyses: latest } = await read(latestAnalyses, { params: { service } });
    return Object.values(latest).filter((analysis) => analysis !== undefined);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return [];
    throw error;
  }
}

function textOf(analysis: Analysis): string {
  const { display_type: type, status, created_at: at, recommendations } = analysis;
  const advice = recommendations.map(adviceText);
  const subject = `${type}${rangeText(analysis)}, ${at}, ${status}:`;
  return [subject, ...(advice.length === 0 ? ["nothing to improve"] : advice)].join("\n");
}

function rangeText({ range, baseline }: Analysis): string {
  if (range === null) return "";
  const span = `${range.from} to ${range.to}`;
  return baseline === null
    ? ` from ${span}`
    : ` from ${span} compared with ${baseline.from} to ${baseline.to}`;
}

function adviceText(recommendation: Recommendation): string {
  const { priority, issue, impact, solution, evidence } = recommendation;
  const names = evidence.functions.map(({ name, file, line }) => {
    const place = file === "" ? "" : ` (${printableName(file)}:${line})`;
    return `${printableName(name)}${place}`;
  });
  // The texts contain names of the profiled program.
  const [first, second, third] = [issue, impact, solution].map(readableLine);
  return `- ${priority}${feedbackText(recommendation)}: ${first} ${second}\n  ${names.join(", ")}\n  ${third}`;
}

/** `, dismissed: Runs once a day`, so that an agent does not propose it again. */
function feedbackText({ feedback }: Recommendation): string {
  if (feedback === null) return "";
  if (feedback.state === "dismissed") return `, dismissed: ${readableLine(feedback.reason ?? "")}`;
  return `, done${feedback.effect === null ? "" : `, ${feedback.effect.status}`}`;
}
