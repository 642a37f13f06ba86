import type {
  AnalysisCategory,
  AnalysisPriority,
  AnalysisProvider,
  AnalysisStatus,
  AuditEvent,
  DisplayType,
  FindingUnit,
  LimitName,
  ProfileType,
} from "@flamekeep/contract";
import type { Generated, Kysely } from "kysely";
import type { AccountTables } from "./tables/accounts.ts";
import type { AlertTables } from "./tables/alerts.ts";
import type { Flag, Timestamp } from "./tables/columns.ts";
import type { SecondFactorTables } from "./tables/second-factors.ts";

export type RowStoreConfig =
  | {
      readonly kind: "sqlite";
      readonly file: string;
      /** How long an operation waits while another process holds the lock of the file; 5 s where absent. */
      readonly lockWaitMs?: number;
    }
  | { readonly kind: "postgres"; readonly url: string };

/** Accounts, keys and all other data that needs transactions. Close it with `destroy()`. */
export type RowStore = Kysely<Database>;

/**
 * The row store's tables, as both SQLite and PostgreSQL hold them. Columns are snake_case in the database and
 * camelCase here. Portable by choice: a time is ISO 8601 text in UTC with milliseconds, which sorts as text does;
 * a flag is 0 or 1; an id is a UUID as text.
 */
export interface Database extends AccountTables, AlertTables, AnalysisTables, SecondFactorTables {
  readonly auditEntries: AuditEntriesTable;
  readonly clusterMembers: ClusterMembersTable;
  readonly dashboards: DashboardsTable;
  readonly dashboardVersions: DashboardVersionsTable;
  readonly changeCounters: ChangeCountersTable;
  readonly installationFacts: InstallationFactsTable;
  readonly jobLeases: JobLeasesTable;
  readonly organizationLimits: OrganizationLimitsTable;
  readonly projects: ProjectsTable;
  readonly derivedProjects: DerivedProjectsTable;
  readonly serviceRemovals: ServiceRemovalsTable;
  readonly sourceLinks: SourceLinksTable;
  readonly storagePrice: StoragePriceTable;
  readonly targets: TargetsTable;
  readonly targetStates: TargetStatesTable;
}

/** Rows are only added; triggers refuse changes. */
interface AuditEntriesTable {
  /** Time, a counter and random text: sorts in the order of the events. */
  readonly id: string;
  readonly orgId: string;
  readonly at: Timestamp;
  readonly event: AuditEvent;
  readonly outcome: "success" | "failure";
  readonly actorKind: "user" | "key";
  /** The id of the user or key. */
  readonly actorId: string;
  readonly target: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

/** The server processes that share the stores. Times are of the database's clock. */
interface ClusterMembersTable {
  readonly id: string;
  readonly address: string;
  readonly version: string;
  readonly startedAt: Timestamp;
  seenAt: Timestamp;
  joined: Flag;
}

interface ProjectsTable {
  readonly id: string;
  readonly orgId: string;
  name: string;
  description: string;
  status: "active" | "inactive" | "archived";
  /** A JSON array of texts. */
  tags: string;
  /** A JSON array of names; empty for the service of the project's name. */
  services: string;
  memberCount: number;
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** Changes to the project derived from a service; null for fields without a change. */
interface DerivedProjectsTable {
  readonly orgId: string;
  readonly service: string;
  name: string | null;
  description: string | null;
  status: ProjectsTable["status"] | null;
  tags: string | null;
  isHidden: Flag;
  updatedAt: Timestamp;
}

interface DashboardsTable {
  readonly orgId: string;
  readonly id: string;
  /** The latest one. */
  version: number;
  readonly createdAt: Timestamp;
}

/** Rows are only added, and removed when there are too many. */
interface DashboardVersionsTable {
  readonly orgId: string;
  readonly dashboardId: string;
  readonly version: number;
  /** JSON: name, description, variables, range and panels. */
  readonly definition: string;
  readonly savedBy: string | null;
  readonly savedAt: Timestamp;
}

/** Which process runs a job at the moment. */
interface JobLeasesTable {
  readonly name: string;
  holder: string;
  /** Empty: released. */
  expiresAt: Timestamp;
  /** Higher for each next holder. */
  term: Generated<number>;
}

interface InstallationFactsTable {
  readonly name: string;
  value: string;
}

interface ChangeCountersTable {
  readonly name: string;
  value: number;
}

/** Written before anything is removed, and never deleted: see readServiceRemovals. */
interface ServiceRemovalsTable {
  readonly id: string;
  readonly orgId: string;
  /** Name of the service. */
  readonly name: string;
  readonly removedBy: string;
  readonly removedAt: Timestamp;
  /** null: the removal is running, or an interruption left it unfinished. */
  finishedAt: Timestamp | null;
}

/** Limits that the operator set; the others have no row. */
interface OrganizationLimitsTable {
  readonly orgId: string;
  readonly name: LimitName;
  value: number;
}

/** One row, `first`, if the operator has set a price. */
interface StoragePriceTable {
  readonly slot: "first";
  perGbMonth: number;
  currency: string;
}

interface TargetsTable {
  readonly orgId: string;
  readonly id: string;
  /** JSON: the fields that are no secrets. */
  definition: string;
  /** JSON: encrypted values by name. */
  headers: string;
  isEnabled: Flag;
  changedAt: Timestamp;
}

/** Written by the process that scrapes. */
interface TargetStatesTable {
  readonly orgId: string;
  readonly targetId: string;
  /** JSON. */
  state: string;
}

/** Where the source of a service is: see sourceUrl. */
interface SourceLinksTable {
  readonly orgId: string;
  readonly service: string;
  urlPattern: string;
  pathPrefix: string;
  updatedAt: Timestamp;
}

interface AnalysisTables {
  readonly analyses: AnalysesTable;
  readonly recommendationFeedback: RecommendationFeedbackTable;
  readonly analysisUsage: AnalysisUsageTable;
  readonly findings: FindingsTable;
}

/** One row for a service, rule and function. Values are of all instances together. */
interface FindingsTable {
  readonly id: string;
  readonly orgId: string;
  readonly service: string;
  readonly rule: string;
  readonly function: string;
  displayType: DisplayType;
  category: AnalysisCategory;
  priority: AnalysisPriority;
  /** Whether the newest analysis of the service and type shows it. */
  isCurrent: Flag;
  readonly firstSeenAt: Timestamp;
  /** End of the latest analysed data that shows it. */
  lastSeenAt: Timestamp;
  analysisId: string;
  ownerId: string | null;
  /** null: the profiles do not tell what it costs. */
  unit: FindingUnit | null;
  /** The whole use. `share` and `saving` are parts of it. */
  inUse: number;
  share: number;
  saving: number;
  /** JSON. */
  finding: string;
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
  state: "accepted" | "done" | "dismissed";
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
