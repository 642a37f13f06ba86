import { minuteMs } from "@flamekeep/contract/durations";
import { hashApiKey, isSameHash, parseApiKey } from "#auth/keys/api-key.ts";
import type { Log } from "#context";
import type { RowStore } from "#store/row/row-store.ts";

interface FoundKey {
  readonly orgId: string;
  readonly keyId: string;
  /** Days that the organization keeps; null: as long as the server keeps anything. */
  readonly ownRetentionDays: number | null;
}

/** Finds the API key behind a text, as of at most ten seconds ago. */
export interface KeyLookup {
  /** Undefined for what is no key, unknown, revoked or of a suspended organization. Notes the use. */
  find(text: string): Promise<FoundKey | undefined>;
  /** To be called when a key changes, so that it acts at once in this process. */
  forget(publicId: string): void;
}

interface Entry extends FoundKey {
  readonly secretHash: string;
  readonly readAt: number;
}

const freshMs = 10_000;
const entriesMax = 10_000;
/** How often a key's last use is written. */
const useNotedMs = minuteMs;

export function openKeyLookup(rows: RowStore, log: Log, now: () => Date): KeyLookup {
  const entries = new Map<string, Entry>();
  const notedAt = new Map<string, number>();

  async function read(publicId: string, at: number): Promise<Entry | undefined> {
    const row = await rows
      .selectFrom("apiKeys")
      .innerJoin("organizations", "organizations.id", "apiKeys.orgId")
      .select(["apiKeys.id", "apiKeys.orgId", "apiKeys.secretHash", "organizations.retentionDays"])
      .where("apiKeys.publicId", "=", publicId)
      .where("apiKeys.isActive", "=", 1)
      .where("organizations.suspendedAt", "is", null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const entry = {
      orgId: row.orgId,
      keyId: row.id,
      ownRetentionDays: row.retentionDays,
      secretHash: row.secretHash,
      readAt: at,
    };
    if (entries.size >= entriesMax) entries.clear();
    entries.set(publicId, entry);
    return entry;
  }

  function noteUse(keyId: string, at: Date): void {
    if (at.getTime() - (notedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < useNotedMs) return;
    if (notedAt.size >= entriesMax) notedAt.clear();
    notedAt.set(keyId, at.getTime());
    // Nobody waits for it: the sender's answer does not depend on this time.
    rows
      .updateTable("apiKeys")
      .set({ lastUsedAt: at.toISOString() })
      .where("id", "=", keyId)
      .execute()
      .catch((err: unknown) => log.warn({ err, keyId }, "the last use of an API key was not written"));
  }

  return {
    async find(text) {
      const parts = parseApiKey(text);
      if (parts === undefined) return undefined;
      const at = now();
      const known = entries.get(parts.publicId);
      const isFresh = known !== undefined && at.getTime() - known.readAt < freshMs;
      const entry = isFresh ? known : await read(parts.publicId, at.getTime());
      if (entry === undefined || !isSameHash(entry.secretHash, hashApiKey(text))) return undefined;
      noteUse(entry.keyId, at);
      const { orgId, keyId, ownRetentionDays } = entry;
      return { orgId, keyId, ownRetentionDays };
    },
    forget(publicId) {
      entries.delete(publicId);
    },
  };
}
