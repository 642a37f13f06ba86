import type { KeyScope } from "@flamekeep/contract";
import type { ColumnType } from "kysely";
import type { Flag, Timestamp } from "./columns.ts";

/** Organizations, people, and what they sign in or send profiles with. */
export interface AccountTables {
  readonly organizations: OrganizationsTable;
  readonly users: UsersTable;
  readonly memberships: MembershipsTable;
  readonly invitations: InvitationsTable;
  readonly operators: OperatorsTable;
  readonly organizationRemovals: OrganizationRemovalsTable;
  readonly sessions: SessionsTable;
  readonly refreshTokens: RefreshTokensTable;
  readonly mailTokens: MailTokensTable;
  readonly sharedLinks: SharedLinksTable;
  readonly openedFiles: OpenedFilesTable;
  readonly apiKeys: ApiKeysTable;
  readonly apiKeyUsage: ApiKeyUsageTable;
  readonly apiKeyRefusals: ApiKeyRefusalsTable;
  readonly tokenBuckets: TokenBucketsTable;
  readonly knownAddresses: KnownAddressesTable;
}

interface OrganizationsTable {
  readonly id: string;
  name: string;
  isDemo: Flag;
  suspendedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  /** null: the retention of the server. */
  retentionDays: ColumnType<number | null, number | null | undefined>;
  allowsPublicLinks: ColumnType<Flag, Flag | undefined>;
  requiresSecondFactor: ColumnType<Flag, Flag | undefined>;
  /** The price of a core, and of a GB of memory, a month; all three are null without a price. */
  coreMonthPrice: ColumnType<number | null, number | null | undefined>;
  gbMonthPrice: ColumnType<number | null, number | null | undefined>;
  priceCurrency: ColumnType<string | null, string | null | undefined>;
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
  /** The organization of the last sign-in or switch. The person may have left it. */
  lastOrgId: ColumnType<string | null, string | null | undefined>;
}

interface MembershipsTable {
  readonly orgId: string;
  readonly userId: string;
  role: "admin" | "member" | "viewer";
  readonly createdAt: Timestamp;
}

/** An invitation is deleted when it is accepted or revoked. */
interface InvitationsTable {
  readonly id: string;
  readonly orgId: string;
  /** SHA-256, hexadecimal. */
  readonly tokenHash: string;
  /** As entered; null: anybody with the link may accept it. */
  readonly email: string | null;
  readonly role: "admin" | "member" | "viewer";
  readonly createdBy: string | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** A public link is deleted when it is revoked, and with its service: see removeServiceRows. */
interface OpenedFilesTable {
  readonly id: string;
  readonly orgId: string;
  /** SHA-256, hexadecimal. */
  readonly tokenHash: string;
  readonly file: string;
  readonly service: string;
  readonly type: string;
  readonly fromAt: Timestamp;
  readonly toAt: Timestamp;
  readonly profileId: string;
  readonly expiresAt: Timestamp;
}

interface SharedLinksTable {
  readonly id: string;
  readonly orgId: string;
  /** SHA-256, hexadecimal. */
  readonly tokenHash: string;
  /** The service of the graph; for a comparison, the service of the second side. */
  readonly service: string;
  readonly type: string;
  /** The start of the profile or range; for a comparison, the start of the second side. */
  readonly fromAt: Timestamp;
  readonly toAt: Timestamp;
  /** A SharedGraph as JSON. */
  readonly graph: string;
  /** A SharedLook as JSON. */
  readonly look: string;
  readonly createdBy: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  lastOpenedAt: Timestamp | null;
}

/** One row, `first`, for the operator: the first account of the installation, until it hands the role over. Its key lets one of two concurrent registrations have it. */
interface OperatorsTable {
  readonly slot: "first";
  readonly userId: string | null;
}

/** Written when an organization is deleted, before its data is removed. */
interface OrganizationRemovalsTable {
  readonly orgId: string;
  readonly name: string;
  readonly removedBy: string;
  readonly removedAt: Timestamp;
  /** null: the removal is running, or an interruption left it unfinished. */
  finishedAt: Timestamp | null;
}

/** One sign-in: the family of all refresh tokens that descend from it. */
interface SessionsTable {
  readonly id: string;
  readonly userId: string;
  /** A switch changes it. */
  orgId: string;
  readonly createdAt: Timestamp;
  expiresAt: Timestamp;
  endedAt: Timestamp | null;
  /** The `User-Agent` of the last use, as the browser sent it. null: the session began before it was stored. */
  userAgent: string | null;
  /** The network address of the last use. */
  address: string | null;
  lastUsedAt: Timestamp | null;
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

/** A link that the operator hands over is not replaced by one that anybody can ask for. */
export type MailTokenPurpose = "reset password" | "reset by operator" | "verify email";

/** Tokens in links: in mails, or handed over by the operator. */
interface MailTokensTable {
  /** SHA-256, hexadecimal. */
  readonly tokenHash: string;
  readonly userId: string;
  readonly purpose: MailTokenPurpose;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  usedAt: Timestamp | null;
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
  /** null: it works until it is revoked. */
  readonly expiresAt: ColumnType<Timestamp | null, Timestamp | null | undefined, never>;
}

/** The uploads of a key in a day (UTC). */
interface ApiKeyUsageTable {
  readonly orgId: string;
  readonly keyId: string;
  readonly day: string;
  profiles: number;
  bytes: number;
}

/** Requests of a key that were refused in a day (UTC), by the code of the failure. */
interface ApiKeyRefusalsTable {
  readonly orgId: string;
  readonly keyId: string;
  readonly day: string;
  readonly code: string;
  count: number;
  lastAt: Timestamp;
  lastMessage: string;
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
