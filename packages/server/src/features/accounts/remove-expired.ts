import { limits } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { DeleteResult } from "kysely";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import { oldestUse } from "#auth/sign-in-limits/known-addresses.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** SQLite runs one statement at a time: short steps let the statements of requests run in between. */
const stepRowsMax = 500;
const auditKeptMs = limits.auditDays * dayMs;

interface Removed {
  readonly refreshTokens: number;
  readonly sessions: number;
  readonly mailTokens: number;
  readonly signInChallenges: number;
  readonly passkeyChallenges: number;
  readonly invitations: number;
  readonly sharedLinks: number;
  readonly auditEntries: number;
  /** Days of the usage of API keys. */
  readonly keyUsageDays: number;
  readonly tokenBuckets: number;
  readonly knownAddresses: number;
}

/**
 * Deletes rows without effect: tokens and sessions that ended, full token buckets, and addresses without a sign-in for
 * 180 days. An expired token and a deleted one get the same reply.
 */
export async function removeExpired(rows: RowStore, now: Date, stopped?: AbortSignal): Promise<Removed> {
  const all = acrossOrganizations(rows);
  const at = now.toISOString();
  const repeat = (step: () => Promise<DeleteResult>) => deleteInSteps(step, stopped);
  return {
    refreshTokens: await repeat(() => removeById(rows, "refreshTokens", at)),
    // After the tokens, without which a session ends.
    sessions: await repeat(() => removeEndedSessions(all, at)),
    mailTokens: await repeat(() => removeByTokenHash(rows, "mailTokens", at)),
    signInChallenges: await repeat(() => removeByTokenHash(rows, "signInChallenges", at)),
    passkeyChallenges: await repeat(() => removePasskeyChallenges(rows, at)),
    invitations: await repeat(() => removeById(all, "invitations", at)),
    sharedLinks: await repeat(() => removeById(all, "sharedLinks", at)),
    auditEntries: await repeat(() => removeOldEntries(all, now)),
    keyUsageDays: await removeOldUsage(all, firstUsageDay(now)),
    tokenBuckets: await repeat(() => removeFullBuckets(rows, now)),
    knownAddresses: await repeat(() => removeUnusedAddresses(rows, oldestUse(now))),
  };
}

function removeById(
  rows: RowStore,
  table: "refreshTokens" | "invitations" | "sharedLinks",
  at: string,
): Promise<DeleteResult> {
  const expired = rows.selectFrom(table).select("id").where("expiresAt", "<=", at).limit(stepRowsMax);
  return rows.deleteFrom(table).where("id", "in", expired).executeTakeFirstOrThrow();
}

function removeByTokenHash(
  rows: RowStore,
  table: "mailTokens" | "signInChallenges",
  at: string,
): Promise<DeleteResult> {
  const expired = rows.selectFrom(table).select("tokenHash").where("expiresAt", "<=", at).limit(stepRowsMax);
  return rows.deleteFrom(table).where("tokenHash", "in", expired).executeTakeFirstOrThrow();
}

function removePasskeyChallenges(rows: RowStore, at: string): Promise<DeleteResult> {
  const expired = rows.selectFrom("passkeyChallenges").select("challengeHash").where("expiresAt", "<=", at);
  return rows
    .deleteFrom("passkeyChallenges")
    .where("challengeHash", "in", expired.limit(stepRowsMax))
    .executeTakeFirstOrThrow();
}

function removeEndedSessions(rows: RowStore, at: string): Promise<DeleteResult> {
  const ended = rows
    .selectFrom("sessions")
    .select("id")
    .where((eb) =>
      eb.or([
        eb("expiresAt", "<=", at),
        eb("endedAt", "is not", null),
        // Nobody can continue a session whose last refresh token expired.
        eb.not(
          eb.exists(
            eb
              .selectFrom("refreshTokens")
              .select("refreshTokens.id")
              .whereRef("refreshTokens.sessionId", "=", "sessions.id"),
          ),
        ),
      ]),
    )
    .limit(stepRowsMax);
  return rows.deleteFrom("sessions").where("id", "in", ended).executeTakeFirstOrThrow();
}

function removeOldEntries(rows: RowStore, now: Date): Promise<DeleteResult> {
  // Ids begin with the time.
  const oldest = new Date(now.getTime() - auditKeptMs).toISOString();
  const old = rows.selectFrom("auditEntries").select("id").where("id", "<", oldest).limit(stepRowsMax);
  return rows.deleteFrom("auditEntries").where("id", "in", old).executeTakeFirstOrThrow();
}

function removeFullBuckets(rows: RowStore, now: Date): Promise<DeleteResult> {
  const nowMs = now.getTime();
  const full = rows
    .selectFrom("tokenBuckets")
    .select("subject")
    .where("fullAtMs", "<=", nowMs)
    .limit(stepRowsMax);
  return (
    rows
      .deleteFrom("tokenBuckets")
      .where("subject", "in", full)
      // A concurrent request may have taken a token since the row was found.
      .where("fullAtMs", "<=", nowMs)
      .executeTakeFirstOrThrow()
  );
}

/** Without steps: a key has two or three rows that become too old in a day. */
async function removeOldUsage(rows: RowStore, firstKept: string): Promise<number> {
  let removed = 0n;
  for (const table of ["apiKeyUsage", "apiKeyRefusals"] as const) {
    const deletion = rows.deleteFrom(table).where("day", "<", firstKept);
    removed += (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
  }
  return Number(removed);
}

function removeUnusedAddresses(rows: RowStore, oldest: string): Promise<DeleteResult> {
  const unused = rows
    .selectFrom("knownAddresses")
    .select(["userId", "addressHash"])
    .where("lastUsedAt", "<=", oldest)
    .limit(stepRowsMax);
  return (
    rows
      .deleteFrom("knownAddresses")
      .where(({ eb, refTuple }) =>
        eb(refTuple("userId", "addressHash"), "in", unused.$asTuple("userId", "addressHash")),
      )
      // A concurrent sign-in may have used the address since the row was found.
      .where("lastUsedAt", "<=", oldest)
      .executeTakeFirstOrThrow()
  );
}

async function deleteInSteps(step: () => Promise<DeleteResult>, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  while (!stopped?.aborted) {
    const { numDeletedRows } = await step();
    total += Number(numDeletedRows);
    if (numDeletedRows === 0n) break;
  }
  return total;
}
