import type { AnalysisTask } from "#analysis/analysers/analyser.ts";
import type { Examined } from "#analysis/analysers/examine.ts";
import type { Context } from "#context";
import type { PromptInput } from "./prompt.ts";
import { readSourceLines } from "./source-lines.ts";

/** Adds the source around the hottest lines, if the operator connected it. */
export async function promptInput(
  { config, log }: Pick<Context, "config" | "log">,
  task: AnalysisTask,
  examined: Examined,
): Promise<PromptInput> {
  const root = config.llm.sourceDir;
  const { orgId, service } = task.row;
  if (root === undefined) return { task, examined, source: [] };
  const source = await readSourceLines({ root, orgId, service }, examined.digest.hotLines, log);
  return { task, examined, source };
}
