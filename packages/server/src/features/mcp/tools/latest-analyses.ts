import { type Analysis, latestAnalyses } from "@flamekeep/contract";
import { z } from "zod";
import { Failure } from "#failure";
import { printableName } from "#mcp/text/names.ts";
import { fields, type Read, tool } from "./tool.ts";

export const latestAnalysesTool = tool({
  name: "latest_analyses",
  title: "Latest analyses",
  description:
    "The latest analysis of each type of profile of a service: what to improve, the functions it is about, and the solution.",
  input: z.object({ service: fields.service }),
  async run(read, { service }) {
    const latest = await readLatest(read, service);
    const texts = Object.entries(latest).flatMap(([type, analysis]) =>
      analysis === undefined ? [] : [textOf(type, analysis)],
    );
    return texts.length === 0
      ? "No analysis of this service. People start them in the app."
      : texts.join("\n\n");
  },
});

async function readLatest(read: Read, service: string): Promise<Partial<Record<string, Analysis>>> {
  try {
    return (await read(latestAnalyses, { params: { service } })).latest_analyses;
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return {};
    throw error;
  }
}

function textOf(type: string, { status, created_at: at, recommendations }: Analysis): string {
  const advice = recommendations.map(({ priority, issue, impact, solution, evidence }) => {
    const names = evidence.functions.map(
      ({ name, file, line }) => `${printableName(name)} (${printableName(file)}:${line})`,
    );
    return `- ${priority}: ${issue} ${impact}\n  ${names.join(", ")}\n  ${solution}`;
  });
  return [`${type}, ${at}, ${status}:`, ...(advice.length === 0 ? ["nothing to improve"] : advice)].join(
    "\n",
  );
}
