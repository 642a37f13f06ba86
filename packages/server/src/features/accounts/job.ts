import { limits } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import { type DeleteResult, sql } from "kysely";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import { oldestUse } from "#auth/sign-in-limits/known-addresses.ts";
import type { Context } from "#context";
import { JobLog, repeat, whileListening } from "#store/job-log.ts";
import { reserveRoom } from "#store/row/reserved-room.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** Uploads and page views have priority after a start. */
const defaultTiming = { firstAfterMs: 30_000, everyMs: hourMs };

/**
 * Deletes expired sessions, tokens and sign-in counts every hour while the server listens, and refills the disk space that is
 * reserved for sign-ins. One process of the installation deletes.
 */
export function registerExpiryJob(app: FastifyInstance, ctx: Context, timing = defaultTiming): void {
  const jobLog = new JobLog(ctx.log, "the hourly removal of expired sessions");
  whileListening(app, (stopped) =>
    repeat(jobLog, timing, stopped, async () => {
      // Signing in must work on a full disk.
      await reserveRoom(ctx.rows, ctx.config.rows);
      await ctx.leases.run("expired-sessions", stopped, async (ended) => {
        const removed = await removeExpired(ctx.rows, ctx.now(), ended);
        if (Object.values(removed).some((rows) => rows > 0)) {
          ctx.log.info(removed, "removed expired sessions and sign-in counts");
        }
      });
    }),
  );
}

/** SQLite runs one statement at a time: short steps let the statements of requests run in between. */
const stepRowsMax = 500;
const auditKeptMs = limits.auditDays * dayMs;

/**
 * Deletes rows without effect: tokens and sessions that ended, full token buckets, and addresses without a sign-in for
 * 180 days. An expired token and a deleted one get the same reply.
 */
export async function removeExpired(rows: RowStore, now: Date, stopped?: AbortSignal) {
  const all = acrossOrganizations(rows);
  const at = now.toISOString();
  const inSteps = (step: () => Promise<DeleteResult>) => deleteInSteps(step, stopped);
  return {
    refreshTokens: await inSteps(() => removeFrom(rows, "refreshTokens", at)),
    // After the tokens, without which a session ends.
    sessions: await inSteps(() => removeEndedSessions(all, at)),
    mailTokens: await inSteps(() => removeFrom(rows, "mailTokens", at)),
    signInChallenges: await inSteps(() => removeFrom(rows, "signInChallenges", at)),
    passkeyChallenges: await inSteps(() => removeFrom(rows, "passkeyChallenges", at)),
    invitations: await inSteps(() => removeFrom(all, "invitations", at)),
    sharedLinks: await inSteps(() => removeFrom(all, "sharedLinks", at)),
    openedFiles: await inSteps(() => removeFrom(all, "openedFiles", at)),
    auditEntries: await inSteps(() => removeOldEntries(all, now)),
    keyUsageDays: await removeOldUsage(all, firstUsageDay(now)),
    tokenBuckets: await inSteps(() => removeFullBuckets(rows, now)),
    knownAddresses: await inSteps(() => removeUnusedAddresses(rows, oldestUse(now))),
  };
}

/** By table, the key of rows that expire. */
const keys = {
  refreshTokens: "id",
  invitations: "id",
  sharedLinks: "id",
  openedFiles: "id",
  mailTokens: "tokenHash",
  signInChallenges: "tokenHash",
  passkeyChallenges: "challengeHash",
} as const;

function removeFrom(rows: RowStore, table: keyof typeof keys, at: string): Promise<DeleteResult> {
  const key = sql.ref<string>(keys[table]);
  const expired = rows
    .selectFrom(table)
    .select(key.as("key"))
    .where("expiresAt", "<=", at)
    .limit(stepRowsMax);
  return rows.deleteFrom(table).where(key, "in", expired).executeTakeFirstOrThrow();
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
