import type { AnalysisOptions, AnalysisProvider } from "@flamekeep/contract";
import type { AnalysisResult, AnalysisRow, AnalysisSubject } from "#analysis/store/stored-analysis.ts";

/** The input of an analyser. */
export interface AnalysisTask {
  readonly row: AnalysisRow;
  readonly subject: AnalysisSubject;
  readonly options: AnalysisOptions;
}

interface Analysed {
  readonly result: AnalysisResult;
  /** Tokens of the language model; 0 without one. */
  readonly tokensUsed: number;
}

/** Throws a Failure with a sentence for people, which becomes the error of the analysis. Ends soon after `signal` is aborted. */
export type Analyser = (task: AnalysisTask, signal: AbortSignal) => Promise<Analysed>;

export type Analysers = Readonly<Partial<Record<AnalysisProvider, Analyser>>>;

/** An error that came after tokens were used. They count, although the analysis failed. */
export class SpentError extends Error {
  override readonly name = "SpentError";
  readonly tokensUsed: number;

  constructor(cause: unknown, tokensUsed: number) {
    super("An analysis failed after it used tokens", { cause });
    this.tokensUsed = tokensUsed;
  }
}
