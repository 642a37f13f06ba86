import { compareRanges } from "./compare-ranges.ts";
import { flameGraphText } from "./flame-graph-text.ts";
import { latestAnalysesTool } from "./latest-analyses.ts";
import { listAlertsTool } from "./list-alerts.ts";
import { listProfilesTool } from "./list-profiles.ts";
import { listServicesTool } from "./list-services.ts";
import type { Tool } from "./tool.ts";
import { topFunctions } from "./top-functions.ts";

/** Every tool, in the order in which agents see them. */
export const tools: readonly Tool[] = [
  listServicesTool,
  listProfilesTool,
  topFunctions,
  flameGraphText,
  compareRanges,
  listAlertsTool,
  latestAnalysesTool,
];
