import type { KeyScope, OwnLimits, Role } from "@flamekeep/contract";
import type { FastifyBaseLogger } from "fastify";
import type { AuditLog } from "#audit/audit-log.ts";
import type { KeyLookup } from "#auth/keys/key-lookup.ts";
import type { KeyUsageCounts } from "#auth/keys/key-usage.ts";
import type { SessionLookup } from "#auth/sessions/session-lookup.ts";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import type { Config } from "#config";
import type { MailQueue } from "#mail/mail-queue.ts";
import type { Mailer } from "#mail/mailer.ts";
import type { Decoders } from "#stacks/pool.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { DiskSpace } from "#store/disk-space.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import type { ProfileLookup } from "#store/profiles/profile-lookup.ts";
import type { JobLeases } from "#store/row/job-leases.ts";
import type { RowStore } from "#store/row/row-store.ts";
import type { Seal } from "#store/row/seal.ts";
import type { Metrics } from "#telemetry/metrics.ts";

export type Log = FastifyBaseLogger;

/** A signed-in user in the organization of the session. */
export interface UserActor {
  readonly kind: "user";
  readonly orgId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly role: Role;
  /** The first account of the installation, or the one that it handed the role to. */
  readonly isOperator: boolean;
  /** Whether the organization requires a second factor that the account does not have. */
  readonly lacksSecondFactor: boolean;
}

/** A program that sends profiles, or reads them. */
export interface KeyActor {
  readonly kind: "key";
  readonly scope: KeyScope;
  readonly orgId: string;
  readonly keyId: string;
  /** The retention of the organization in days; null if it has none, so that the server's applies. */
  readonly orgRetentionDays: number | null;
  /** Limits that the operator set for the organization in the app. */
  readonly ownLimits: OwnLimits;
}

/** A visitor of the demo, who can read the demo organization and nothing else. */
export interface DemoActor {
  readonly kind: "demo";
  readonly orgId: string;
}

export type Actor = UserActor | KeyActor | DemoActor;

/** Threads that run the functions of ingestion's worker. They start with an upload and end in a pause. */
export interface EncodingThreads {
  /** How many tasks run at the same time. */
  readonly count: number;
  run(input: unknown, options: { readonly name: string }): Promise<unknown>;
  /** Ends the threads once their tasks are finished. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The organization of the demo, the same on every server: it has the recorded demo data and nothing else. */
export const demoOrgId = "00000000-0000-4000-8000-0000000000de";

/** The organization of files that were opened without an account, the same on every server. It has no members. */
export const openedOrgId = "00000000-0000-4000-8000-0000000000f1";

/** The settings, stores and clock of this server, passed to every operation. */
interface Demo {
  readonly orgId: string;
  /** When the server had all of its data for the first time since the start. */
  loadedAt?: Date;
}

/** An attempt to free space of the disk by removing old days, see RETENTION_FREE_GB. */
export interface SpaceFreed {
  readonly at: Date;
  /** The removed days, YYYY-MM-DD; none if all earlier days would not have been enough. */
  readonly days: readonly string[];
  /** Before the attempt. */
  readonly freeBytes: number;
  readonly wantedBytes: number;
  /** The bytes of all days, before the attempt. */
  readonly ownBytes: number;
  /** The bytes of everything else on the disk. */
  readonly otherBytes: number;
}

export interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly columns: ColumnStore;
  readonly rows: RowStore;
  /** Jobs that one process of the installation runs at a time. */
  readonly leases: JobLeases;
  readonly payloads: PayloadStore;
  /** The disk of the data folder. */
  readonly disk: DiskSpace;
  /** `latest` is set while the operator should know of it. */
  readonly spaceFreed: { latest?: SpaceFreed };
  /** Threads that turn uploads into rows. */
  readonly encodingThreads: EncodingThreads;
  /** The thread that decodes stored profiles for requests. */
  readonly decoders: Decoders;
  /** The thread that decodes stored profiles for analyses, at a lower priority. */
  readonly backgroundDecoders: Decoders;
  readonly keys: KeyLookup;
  /** Counts the uploads of each API key. */
  readonly keyUsage: KeyUsageCounts;
  readonly sessions: SessionLookup;
  readonly profiles: ProfileLookup;
  /** Sign access tokens. */
  readonly accessKeys: SigningKeys;
  /** Derive each refresh token from the one before. */
  readonly refreshKeys: SigningKeys;
  /** Sign the calls of server processes that share the stores. */
  readonly clusterKeys: SigningKeys;
  /** Signs device cookies, and hashes the addresses and accounts that sign-in counts. */
  readonly signInKey: Uint8Array;
  readonly mailer: Mailer;
  readonly audit: AuditLog;
  /** Sends mail after the reply. */
  readonly mailQueue: MailQueue;
  /** Encrypts webhooks and their secrets. */
  readonly seal: Seal;
  /** Encrypts the secrets of authenticator apps. */
  readonly factorSeal: Seal;
  /** The organization of the demo; null if the demo is off. */
  readonly demo: Demo | null;
  /** Counters and gauges of /metrics. */
  readonly metrics: Metrics;
  readonly startedAt: Date;
  readonly version: string;
  now(): Date;
}
