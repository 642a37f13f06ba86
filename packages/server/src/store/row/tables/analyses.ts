import type {
  AnalysisCategory,
  AnalysisProvider,
  AnalysisStatus,
  DisplayType,
  ProfileType,
} from "@flamekeep/contract";
import type { Timestamp } from "./columns.ts";

export interface AnalysisTables {
  readonly analyses: AnalysesTable;
  readonly recommendationFeedback: RecommendationFeedbackTable;
  readonly analysisUsage: AnalysisUsageTable;
}

/** A requested analysis: the queue and the results. */
interface AnalysesTable {
  readonly id: string;
  readonly orgId: string;
  readonly service: string;
  readonly type: ProfileType;
  readonly displayType: DisplayType;
  /** null: of a range. */
  readonly profileId: string | null;
  /** JSON: the tags and the ranges. */
  readonly subject: string;
  /** Start and end of the data that is analysed. */
  readonly subjectFrom: Timestamp;
  readonly subjectTo: Timestamp;
  /** The same for requests that ask for the same. */
  readonly requestKey: string;
  /** JSON. */
  readonly options: string;
  readonly provider: AnalysisProvider;
  readonly model: string | null;
  status: AnalysisStatus;
  readonly createdAt: Timestamp;
  readonly createdBy: string | null;
  startedAt: Timestamp | null;
  completedAt: Timestamp | null;
  /** Number of times that a process began it. */
  attempts: number;
  /** The process that works on it, and until when it has it for itself. */
  holder: string | null;
  leaseExpiresAt: Timestamp | null;
  /** JSON; null until it is completed. */
  result: string | null;
  /** For people; null unless it failed. */
  error: string | null;
  processingTimeMs: number | null;
  tokensUsed: number;
}

/** Holds for the service: the same advice about the same function. */
interface RecommendationFeedbackTable {
  readonly orgId: string;
  readonly service: string;
  /** Id of the rule; `model:` and the category for advice of a language model. */
  readonly rule: string;
  /** The function that the advice is mainly about; empty if it names none. */
  readonly function: string;
  category: AnalysisCategory;
  /** The type of the profiles that were analysed. */
  type: ProfileType;
  state: "done" | "dismissed";
  reason: string | null;
  givenBy: string | null;
  givenAt: Timestamp;
  /** End of the data in which the advice was found. */
  subjectAt: Timestamp;
  /** JSON; null until it is measured. */
  effect: string | null;
  /** When to measure the effect next; null: not any more. */
  measureAt: Timestamp | null;
}

/** One row per organization and day (UTC). */
interface AnalysisUsageTable {
  readonly orgId: string;
  readonly day: string;
  analyses: number;
  /** Analyses and questions that a language model answered. */
  modelCalls: number;
  tokens: number;
}
