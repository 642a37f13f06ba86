import type {
  AlertChannel,
  AnalysisCategory,
  AnalysisProvider,
  AnalysisStatus,
  DisplayType,
  KeyScope,
  ProfileType,
} from "@flamekeep/contract";
import type { ColumnType, Kysely } from "kysely";

/**
 * The row store's tables, as both SQLite and PostgreSQL hold them. Columns are snake_case in the database and
 * camelCase here. Portable by choice: a time is ISO 8601 text in UTC with milliseconds, which sorts as text does;
 * a flag is 0 or 1; an id is a UUID as text.
 */

/** `2026-11-20T10:00:00.000Z`, as `Date.toISOString()` writes it. */
export type Timestamp = string;
export type Flag = 0 | 1;

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

export interface Database {
  readonly organizations: OrganizationsTable;
  readonly users: UsersTable;
  readonly memberships: MembershipsTable;
  readonly sessions: SessionsTable;
  readonly refreshTokens: RefreshTokensTable;
  readonly apiKeys: ApiKeysTable;
  readonly tokenBuckets: TokenBucketsTable;
  readonly knownAddresses: KnownAddressesTable;
  readonly alerts: AlertsTable;
  readonly alertMutes: AlertMutesTable;
  readonly alertProgress: AlertProgressTable;
  readonly alertSettings: AlertSettingsTable;
  readonly alertDeliveries: AlertDeliveriesTable;
  readonly jobLeases: JobLeasesTable;
  readonly projects: ProjectsTable;
  readonly derivedProjects: DerivedProjectsTable;
  readonly serviceRemovals: ServiceRemovalsTable;
  readonly analyses: AnalysesTable;
  readonly recommendationFeedback: RecommendationFeedbackTable;
  readonly analysisUsage: AnalysisUsageTable;
}

interface OrganizationsTable {
  readonly id: string;
  name: string;
  isDemo: Flag;
  suspendedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  /** null: the retention of the server. */
  retentionDays: ColumnType<number | null, number | null | undefined>;
}

interface UsersTable {
  readonly id: string;
  /** As entered. */
  email: string;
  /** Lower case; unique. */
  emailKey: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  isActive: Flag;
  isVerified: Flag;
  readonly createdAt: Timestamp;
  lastLoginAt: Timestamp | null;
}

interface MembershipsTable {
  readonly orgId: string;
  readonly userId: string;
  role: "admin" | "member" | "viewer";
  readonly createdAt: Timestamp;
}

/** One sign-in: the family of all refresh tokens that descend from it. */
interface SessionsTable {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly createdAt: Timestamp;
  expiresAt: Timestamp;
  endedAt: Timestamp | null;
}

interface RefreshTokensTable {
  readonly id: string;
  readonly sessionId: string;
  /** SHA-256, hexadecimal. */
  readonly tokenHash: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** The time of its exchange for a successor. */
  rotatedAt: Timestamp | null;
}

interface ApiKeysTable {
  readonly id: string;
  readonly orgId: string;
  /** The part of the key that finds it; not secret. */
  readonly publicId: string;
  readonly secretHash: string;
  name: string;
  readonly scope: ColumnType<KeyScope, KeyScope | undefined, never>;
  readonly prefix: string;
  isActive: Flag;
  readonly createdBy: string | null;
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
  lastUsedAt: Timestamp | null;
}

/** See token-bucket.ts. A bucket without a row is full. */
interface TokenBucketsTable {
  readonly subject: string;
  /** Unix milliseconds at which the bucket is full again. */
  fullAtMs: number;
}

/** Addresses from which a person signed in, as keyed hashes. */
interface KnownAddressesTable {
  readonly userId: string;
  readonly addressHash: string;
  lastUsedAt: Timestamp;
}

interface ProjectsTable {
  readonly id: string;
  readonly orgId: string;
  name: string;
  description: string;
  status: "active" | "inactive" | "archived";
  /** A JSON array of texts. */
  tags: string;
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

/** At most one is open for a service, type and sample type. */
interface AlertsTable {
  readonly id: string;
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly sampleType: string;
  profileId: string;
  readonly openedAt: Timestamp;
  resolvedAt: Timestamp | null;
  previousValue: number;
  currentValue: number;
  /** Fraction. */
  increase: number;
  readonly baselineFrom: Timestamp;
  readonly baselineTo: Timestamp;
  currentFrom: Timestamp;
  currentTo: Timestamp;
  /** JSON: the functions that grew most. */
  functions: string;
  /** JSON: the reference that the open alert is compared with. */
  readonly reference: string;
}

interface AlertMutesTable {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly mutedBy: string | null;
  readonly createdAt: Timestamp;
  /** null: until it is removed. */
  readonly until: Timestamp | null;
}

interface AlertProgressTable {
  readonly orgId: string;
  /** Profiles up to here were judged. */
  evaluatedTo: Timestamp;
  /** The time of that evaluation: later uploads may belong to a time before `evaluatedTo`. */
  lookedAt: Timestamp;
}

interface AlertSettingsTable {
  readonly orgId: string;
  /** 1: the secrets in `targets` are encrypted. */
  isSealed: ColumnType<Flag, Flag | undefined>;
  /** JSON: see delivery-targets.ts. */
  targets: string;
  updatedAt: Timestamp;
}

interface AlertDeliveriesTable {
  readonly id: string;
  readonly orgId: string;
  readonly alertId: string;
  readonly event: "opened" | "resolved";
  readonly channel: AlertChannel;
  status: "due" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: Timestamp;
  lastError: string | null;
  readonly createdAt: Timestamp;
  deliveredAt: Timestamp | null;
}

/** Which process runs a job at the moment. */
interface JobLeasesTable {
  readonly name: string;
  holder: string;
  expiresAt: Timestamp;
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
