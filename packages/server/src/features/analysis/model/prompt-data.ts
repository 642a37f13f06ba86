import type { AnalysisTask } from "#analysis/analysers/analyser.ts";
import type { Examined } from "#analysis/analysers/examine.ts";
import type { Context } from "#context";
import type { PromptData } from "./prompt.ts";
import { readSourceLines } from "./source-lines.ts";

/** Adds the source around the hottest lines, if the operator connected it. */
export async function promptData(
  { config }: Pick<Context, "config">,
  task: AnalysisTask,
  examined: Examined,
): Promise<PromptData> {
  const root = config.llm.sourceDir;
  const { orgId, service } = task.row;
  const source =
    root === undefined ? [] : await readSourceLines({ root, orgId, service }, examined.digest.hotLines);
  return { task, examined, source };
}
