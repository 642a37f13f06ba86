import type { KeyScope, OwnLimits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { AuditLog } from "#audit/audit-log.ts";
import { hashApiKey, isSameHash, parseApiKey } from "#auth/keys/api-key.ts";
import type { StoreLog } from "#store/log.ts";
import { readOwnLimits } from "#store/row/organization-limits.ts";
import { acrossOrganizations, changesRow, type RowStore } from "#store/row/row-store.ts";

interface FoundKey {
  readonly orgId: string;
  readonly keyId: string;
  readonly scope: KeyScope;
  /** The retention of the organization in days; null if it has none, so that the server's applies. */
  readonly orgRetentionDays: number | null;
  /** Limits that the operator set for the organization. */
  readonly ownLimits: OwnLimits;
  /** ISO 8601; null if it does not expire. */
  readonly expiresAt: string | null;
}

/** Finds API keys by their text. Answers from a cache that is at most ten seconds old, and a second after a change in another process. */
export interface KeyLookup {
  /**
   * Undefined if the text is not a key, or the key is unknown, revoked or of a suspended organization. Records the use,
   * unless the key has expired.
   */
  find(text: string): Promise<FoundKey | undefined>;
  /** Call it when a key changes, so that the change takes effect at once in this process. */
  forget(publicId: string): void;
  /** Call it when a limit of an organization changes. */
  forgetOrganization(orgId: string): void;
  /** Call it when something changed in another process. */
  forgetAll(): void;
}

interface Entry extends FoundKey {
  readonly secretHash: string;
  readonly readAt: number;
  readonly name: string;
  readonly wasUsed: boolean;
}

const freshMs = 10_000;
const entriesMax = 10_000;
/** The last use of a key is written at most this often. */
const useRecordedMs = minuteMs;

export function openKeyLookup(
  rows: RowStore,
  log: StoreLog,
  now: () => Date,
  audit: Pick<AuditLog, "record">,
): KeyLookup {
  const entries = new Map<string, Entry>();
  const recordedAt = new Map<string, number>();
  let forgotten = 0;

  async function read(publicId: string, at: number): Promise<Entry | undefined> {
    const forgottenBefore = forgotten;
    const entry = await readEntry(rows, publicId, at);
    // A key may have been revoked while it was read.
    if (entry === undefined || forgotten !== forgottenBefore) return entry;
    if (entries.size >= entriesMax) entries.clear();
    entries.set(publicId, entry);
    return entry;
  }

  function recordUse({ orgId, keyId, name, wasUsed }: Entry, at: Date): void {
    if (at.getTime() - (recordedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < useRecordedMs) return;
    if (recordedAt.size >= entriesMax) recordedAt.clear();
    recordedAt.set(keyId, at.getTime());
    const use = rows
      .updateTable("apiKeys")
      .set({ lastUsedAt: at.toISOString() })
      .where("orgId", "=", orgId)
      .where("id", "=", keyId);
    const record = async () => {
      if (wasUsed) return void (await use.execute());
      // Several servers may see the key for the first time; one of them records that.
      const firstUse = use.where("lastUsedAt", "is", null);
      if (!(await changesRow(firstUse))) return void (await use.execute());
      await audit.record(orgId, { event: "key.first_used", actor: { kind: "key", id: keyId }, target: name });
    };
    // Not awaited: the reply to the sender does not depend on this time.
    record().catch((err: unknown) => log.warn({ err, keyId }, "failed to record the last use of an API key"));
  }

  function forgetWhere(isConcerned: (entry: Entry, publicId: string) => boolean): void {
    forgotten++;
    for (const [publicId, entry] of entries) if (isConcerned(entry, publicId)) entries.delete(publicId);
  }

  return {
    async find(text) {
      const parts = parseApiKey(text);
      if (parts === undefined) return undefined;
      const at = now();
      const cached = entries.get(parts.publicId);
      const isFresh = cached !== undefined && at.getTime() - cached.readAt < freshMs;
      const entry = isFresh ? cached : await read(parts.publicId, at.getTime());
      if (entry === undefined || !isSameHash(entry.secretHash, hashApiKey(text))) return undefined;
      if (!hasExpired(entry, at)) recordUse(entry, at);
      const { orgId, keyId, scope, orgRetentionDays, ownLimits, expiresAt } = entry;
      return { orgId, keyId, scope, orgRetentionDays, ownLimits, expiresAt };
    },
    forget: (publicId) => forgetWhere((_, id) => id === publicId),
    forgetOrganization: (orgId) => forgetWhere((entry) => entry.orgId === orgId),
    forgetAll: () => forgetWhere(() => true),
  };
}

async function readEntry(rows: RowStore, publicId: string, readAt: number): Promise<Entry | undefined> {
  const row = await acrossOrganizations(rows)
    .selectFrom("apiKeys")
    .innerJoin("organizations", "organizations.id", "apiKeys.orgId")
    .select([
      "apiKeys.id as keyId",
      "apiKeys.orgId",
      "apiKeys.secretHash",
      "apiKeys.scope",
      "apiKeys.name",
      "apiKeys.expiresAt",
      "apiKeys.lastUsedAt",
      "organizations.retentionDays as orgRetentionDays",
    ])
    .where("apiKeys.publicId", "=", publicId)
    .where("apiKeys.isActive", "=", 1)
    .where("organizations.suspendedAt", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { lastUsedAt, ...key } = row;
  const ownLimits = await readOwnLimits(rows, key.orgId);
  return { ...key, ownLimits, wasUsed: lastUsedAt !== null, readAt };
}

export function hasExpired({ expiresAt }: Pick<FoundKey, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now.toISOString();
}
