import { randomUUID } from "node:crypto";
import type { Role, Tokens } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Selectable } from "kysely";
import { storedUserAgent } from "#audit/request-origin.ts";
import { signAccessToken } from "#auth/tokens/access-token.ts";
import { firstRefreshToken, type RefreshToken } from "#auth/tokens/refresh-token.ts";
import type { Context } from "#context";
import { prepared } from "#store/row/prepared.ts";
import { acrossOrganizations, type Database, type RowStore } from "#store/row/row-store.ts";
import { runSteps, type Step } from "#store/row/steps.ts";

/** A session ends when it was not used for `idleMs`, and at the latest after `absoluteMs`. */
const idleMs = 14 * dayMs;
const absoluteMs = 90 * dayMs;

interface SessionOwner {
  readonly id: string;
  readonly orgId: string;
  readonly role: Role;
  /** The hash of the password that was checked. */
  readonly passwordHash: string;
}

/** Where a session is used, for the list of a person's sessions. */
export interface SessionOrigin {
  readonly address: string;
  /** The header as it was sent; undefined without one. */
  readonly userAgent: string | undefined;
}

/** The columns of a session that say where and when it was used last. */
export function lastUse({ address, userAgent }: SessionOrigin, now: Date) {
  return { address, userAgent: storedUserAgent(userAgent), lastUsedAt: now.toISOString() };
}

class AccountChangedError extends Error {
  override readonly name = "AccountChangedError";
}

/**
 * Creates a session for the user, with its first refresh token and an access token. Undefined if meanwhile the password was changed,
 * the account disabled, or the person removed from the organization.
 *
 * @param also steps of the same transaction
 */
export async function startSession(
  ctx: Context,
  account: SessionOwner,
  origin: SessionOrigin,
  also: readonly Step[] = [],
): Promise<Tokens | undefined> {
  const now = ctx.now();
  const sessionId = randomUUID();
  const token = firstRefreshToken();
  try {
    await runSteps(ctx.rows, [...sessionSteps(ctx, account, { sessionId, token, origin, now }), ...also]);
  } catch (error) {
    if (error instanceof AccountChangedError) return undefined;
    throw error;
  }
  const access = { userId: account.id, orgId: account.orgId, sessionId, role: account.role };
  return {
    access_token: signAccessToken(ctx.accessKeys, access, now),
    refresh_token: token.text,
  };
}

interface NewSession {
  readonly sessionId: string;
  readonly token: RefreshToken;
  readonly origin: SessionOrigin;
  readonly now: Date;
}

function sessionSteps(
  { rows }: Context,
  account: SessionOwner,
  { sessionId, token, origin, now }: NewSession,
): Step[] {
  const sessionExpiresAt = new Date(now.getTime() + absoluteMs).toISOString();
  const { id: userId, orgId, passwordHash } = account;
  const start = { sessionId, userId, orgId, expiresAt: sessionExpiresAt, ...lastUse(origin, now) };
  const signedIn = updateLastSignIn(rows, { userId, orgId, passwordHash, now: now.toISOString() });
  return [
    // First, because it locks the user: a change of the password, or its disabling, ends all sessions before this one, or this one too.
    { statement: signedIn, orThrow: () => new AccountChangedError() },
    { statement: insertSession(rows, start) },
    { statement: insertRefreshToken(rows, { sessionId, sessionExpiresAt }, token, now) },
  ];
}

interface SignIn {
  readonly userId: string;
  readonly orgId: string;
  readonly passwordHash: string;
  readonly now: string;
}

const updateLastSignIn = prepared((rows, { userId, orgId, passwordHash, now }: SignIn) =>
  rows
    .updateTable("users")
    .set({ lastLoginAt: now, lastOrgId: orgId })
    .where("id", "=", userId)
    .where("passwordHash", "=", passwordHash)
    .where("isActive", "=", 1)
    .where(({ exists, selectFrom }) => {
      const memberships = selectFrom("memberships").select("memberships.userId");
      return exists(memberships.where("orgId", "=", orgId).where("userId", "=", userId));
    }),
);

interface SessionStart extends ReturnType<typeof lastUse> {
  readonly sessionId: string;
  readonly userId: string;
  readonly orgId: string;
  readonly expiresAt: string;
}

const insertSession = prepared((rows, values: SessionStart) => {
  const { sessionId, userId, orgId, expiresAt, address, userAgent, lastUsedAt } = values;
  const use = { address, userAgent, lastUsedAt };
  return rows
    .insertInto("sessions")
    .values({ id: sessionId, userId, orgId, createdAt: lastUsedAt, expiresAt, ...use });
});

export function insertRefreshToken(
  rows: RowStore,
  session: { readonly sessionId: string; readonly sessionExpiresAt: string },
  token: RefreshToken,
  now: Date,
) {
  const expiresAt = Math.min(now.getTime() + idleMs, Date.parse(session.sessionExpiresAt));
  return insertToken(rows, {
    id: token.id,
    sessionId: session.sessionId,
    tokenHash: token.hash,
    createdAt: now.toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  });
}

type StoredRefreshToken = Omit<Selectable<Database["refreshTokens"]>, "rotatedAt">;

const insertToken = prepared((rows, { id, sessionId, tokenHash, createdAt, expiresAt }: StoredRefreshToken) =>
  rows.insertInto("refreshTokens").values({ id, sessionId, tokenHash, createdAt, expiresAt }),
);

/** Ends a session. Its refresh tokens stop working, and its access tokens too, in this process at once. */
export async function endSession(ctx: Context, sessionId: string): Promise<void> {
  await acrossOrganizations(ctx.rows)
    .updateTable("sessions")
    .set({ endedAt: ctx.now().toISOString() })
    .where("id", "=", sessionId)
    .where("endedAt", "is", null)
    .execute();
  ctx.sessions.forget(sessionId);
}

/** Ends the active sessions of a user, except one if it is named. Returns their number. */
export async function endSessionsOf(
  ctx: Context,
  userId: string,
  { rows = ctx.rows, except }: { readonly rows?: RowStore; readonly except?: string } = {},
): Promise<number> {
  const now = ctx.now().toISOString();
  let ending = acrossOrganizations(rows)
    .updateTable("sessions")
    .set({ endedAt: now })
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", now);
  if (except !== undefined) ending = ending.where("id", "!=", except);
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow();
  ctx.sessions.forgetUser(userId);
  return Number(numUpdatedRows);
}
