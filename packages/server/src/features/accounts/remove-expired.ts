import { dayMs } from "@flamekeep/contract/durations";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import { oldestUse } from "#auth/sign-in-limits/known-addresses.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** SQLite deletes in the thread that serves requests: short steps let requests run in between. */
const stepRowsMax = 500;
/** As the contract says. */
const auditKeptMs = 400 * dayMs;

export interface Removed {
  readonly refreshTokens: number;
  readonly sessions: number;
  readonly mailTokens: number;
  readonly signInChallenges: number;
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
  const at = now.toISOString();
  const repeat = (step: () => Promise<{ numDeletedRows: bigint }>) => deleteInSteps(step, stopped);
  const refreshTokens = await repeat(() => {
    const expired = rows.selectFrom("refreshTokens").select("id").where("expiresAt", "<=", at);
    const deletion = rows.deleteFrom("refreshTokens").where("id", "in", expired.limit(stepRowsMax));
    return deletion.executeTakeFirstOrThrow();
  });
  const sessions = await repeat(() => {
    const all = acrossOrganizations(rows);
    const ended = all
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
    return all.deleteFrom("sessions").where("id", "in", ended).executeTakeFirstOrThrow();
  });
  const mailTokens = await repeat(() => {
    const expired = rows.selectFrom("mailTokens").select("tokenHash").where("expiresAt", "<=", at);
    const deletion = rows.deleteFrom("mailTokens").where("tokenHash", "in", expired.limit(stepRowsMax));
    return deletion.executeTakeFirstOrThrow();
  });
  const signInChallenges = await repeat(() => {
    const expired = rows.selectFrom("signInChallenges").select("tokenHash").where("expiresAt", "<=", at);
    const deletion = rows.deleteFrom("signInChallenges").where("tokenHash", "in", expired.limit(stepRowsMax));
    return deletion.executeTakeFirstOrThrow();
  });
  const expiredRows = (table: "invitations" | "sharedLinks") =>
    repeat(() => removeExpiredRows(rows, table, at));
  const [invitations, sharedLinks] = [await expiredRows("invitations"), await expiredRows("sharedLinks")];
  const auditEntries = await repeat(() => {
    const all = acrossOrganizations(rows);
    // Ids begin with the time.
    const oldest = new Date(now.getTime() - auditKeptMs).toISOString();
    const old = all.selectFrom("auditEntries").select("id").where("id", "<", oldest);
    const deletion = all.deleteFrom("auditEntries").where("id", "in", old.limit(stepRowsMax));
    return deletion.executeTakeFirstOrThrow();
  });
  const keyUsageDays = await removeOldUsage(rows, firstUsageDay(now));
  const tokenBuckets = await repeat(() => {
    const full = rows.selectFrom("tokenBuckets").select("subject").where("fullAtMs", "<=", now.getTime());
    const deletion = rows
      .deleteFrom("tokenBuckets")
      .where("subject", "in", full.limit(stepRowsMax))
      // A concurrent request may have taken a token since the row was found.
      .where("fullAtMs", "<=", now.getTime());
    return deletion.executeTakeFirstOrThrow();
  });
  const knownAddresses = await repeat(() => removeUnusedAddresses(rows, oldestUse(now)));
  const ofPeople = { refreshTokens, sessions, mailTokens, signInChallenges, invitations, knownAddresses };
  return { ...ofPeople, sharedLinks, auditEntries, keyUsageDays, tokenBuckets };
}

function removeExpiredRows(
  rows: RowStore,
  table: "invitations" | "sharedLinks",
  at: string,
): Promise<{ numDeletedRows: bigint }> {
  const all = acrossOrganizations(rows);
  const expired = all.selectFrom(table).select("id").where("expiresAt", "<=", at).limit(stepRowsMax);
  return all.deleteFrom(table).where("id", "in", expired).executeTakeFirstOrThrow();
}

/** Without steps: a key has two or three rows that become too old in a day. */
async function removeOldUsage(rows: RowStore, firstKept: string): Promise<number> {
  let removed = 0n;
  for (const table of ["apiKeyUsage", "apiKeyRefusals"] as const) {
    const deletion = acrossOrganizations(rows).deleteFrom(table).where("day", "<", firstKept);
    removed += (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
  }
  return Number(removed);
}

function removeUnusedAddresses(rows: RowStore, oldest: string): Promise<{ numDeletedRows: bigint }> {
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

async function deleteInSteps(
  step: () => Promise<{ readonly numDeletedRows: bigint }>,
  stopped?: AbortSignal,
): Promise<number> {
  let total = 0;
  while (!stopped?.aborted) {
    const deleted = Number((await step()).numDeletedRows);
    total += deleted;
    if (deleted === 0) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return total;
}
