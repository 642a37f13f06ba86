import type { AuditEvent } from "@flamekeep/contract";
import type { Kysely } from "kysely";
import type { AccountTables } from "./tables/accounts.ts";
import type { AlertTables } from "./tables/alerts.ts";
import type { AnalysisTables } from "./tables/analyses.ts";
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
  readonly jobLeases: JobLeasesTable;
  readonly projects: ProjectsTable;
  readonly derivedProjects: DerivedProjectsTable;
  readonly serviceRemovals: ServiceRemovalsTable;
  readonly sourceLinks: SourceLinksTable;
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

/** Where the source of a service is: see sourceUrl. */
interface SourceLinksTable {
  readonly orgId: string;
  readonly service: string;
  urlPattern: string;
  pathPrefix: string;
  updatedAt: Timestamp;
}
