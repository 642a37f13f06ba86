import type {
  Analysis,
  AnalysisCategory,
  AnalysisPriority,
  Effect,
  Recommendation,
} from "@flamekeep/contract";
import { percentText, plural, wholePercentText } from "#format/number.ts";

/** Finds a function in the flame graph, of the sample type that the advice is about. */
export type FindFunction = (functionName: string, sampleType?: string) => void;

/** How often a running analysis is read, and for how long. */
export const pollMs = 2000;
export const pollMsMax = 300_000;
/** Entries of the history. */
export const historyLengthMax = 5;

export function isRunning(analysis: Analysis | undefined): boolean {
  return analysis?.status === "pending" || analysis?.status === "processing";
}

/**
 * The analysis to show: the chosen one, else one that is running, else the latest completed one, else the latest.
 *
 * @param analyses newest first
 */
export function currentAnalysis(analyses: readonly Analysis[], chosenId?: string): Analysis | undefined {
  return (
    analyses.find(({ id }) => id === chosenId) ??
    analyses.find(isRunning) ??
    analyses.find(({ status }) => status === "completed") ??
    analyses[0]
  );
}

/** The list with the changed analysis in the place of its earlier state, or first if it is new. */
export function withAnalysis(analyses: readonly Analysis[], changed: Analysis): readonly Analysis[] {
  return analyses.some(({ id }) => id === changed.id)
    ? analyses.map((each) => (each.id === changed.id ? changed : each))
    : [changed, ...analyses];
}

export const categoryLabels: Readonly<Record<AnalysisCategory, string>> = {
  cpu_optimization: "CPU",
  memory_optimization: "Memory",
  goroutine_optimization: "Goroutines",
  mutex_optimization: "Locks",
  other: "Other",
};

export const priorityTones = {
  high: "critical",
  medium: "warning",
  low: "neutral",
} as const satisfies Record<AnalysisPriority, string>;

export function confidenceText(confidence: number): string {
  return `${wholePercentText(confidence)} confidence`;
}

/** Dismissed advice last; the order of the analysis otherwise. */
export function byState(recommendations: readonly Recommendation[]): readonly Recommendation[] {
  const isDismissed = ({ feedback }: Recommendation) => feedback?.state === "dismissed";
  return [
    ...recommendations.filter((each) => !isDismissed(each)),
    ...recommendations.filter((each) => isDismissed(each)),
  ];
}

export type CardState = "no-analysis" | "optimized" | "critical" | "issues";

/** State and text of a profile type in the overview, by its latest analysis. */
export function cardOf(analysis: Analysis | undefined): { readonly state: CardState; readonly text: string } {
  const summary = analysis?.summary ?? undefined;
  if (analysis === undefined || summary === undefined)
    return { state: "no-analysis", text: runText(analysis) };
  const { high_priority: critical, total_issues: total } = summary;
  if (critical > 0) return { state: "critical", text: `${plural(critical, "critical issue")} detected` };
  if (total > 0) return { state: "issues", text: `${plural(total, "issue")} detected` };
  return { state: "optimized", text: "No issues detected" };
}

function runText(analysis: Analysis | undefined): string {
  if (analysis === undefined) return "Not analyzed yet";
  return analysis.status === "failed" ? "The last analysis failed" : "Being analyzed";
}

/** Whether advice that was marked as done, or accepted and deployed, helped, in a sentence; undefined if its effect is not measured. */
export function effectText(effect: Effect | null | undefined): string | undefined {
  if (!effect) return undefined;
  if (effect.status === "waiting" || effect.share_after === null) {
    return "Waiting for new profiles to measure the effect.";
  }
  const shares = `from ${percentText(effect.share_before * 100)} to ${percentText(effect.share_after * 100)} of the profile`;
  const per = effect.is_per_request ? "per request" : "per second";
  const change =
    effect.change === null
      ? ""
      : `, ${wholePercentText(Math.abs(effect.change))} ${effect.change <= 0 ? "less" : "more"} ${per}`;
  const since = effect.version === null ? "" : `Since ${effect.version}: `;
  const outcome = effectOutcomes[effect.status];
  return `${since}${since === "" ? outcome : outcome.toLowerCase()} ${shares}${change} (${plural(effect.profiles, "later profile")}).`;
}

const effectOutcomes = {
  improved: "It helped:",
  unchanged: "No change yet:",
  worse: "It got worse:",
};
