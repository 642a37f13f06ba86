import { randomUUID } from "node:crypto";
import type { Role, Tokens } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { signAccessToken } from "#auth/tokens/access-token.ts";
import { firstRefreshToken, type RefreshToken } from "#auth/tokens/refresh-token.ts";
import type { Context } from "#context";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

/** A session ends when it was not used for `idleMs`, and at the latest after `absoluteMs`. */
const idleMs = 14 * dayMs;
const absoluteMs = 90 * dayMs;

interface SessionOwner {
  readonly id: string;
  readonly orgId: string;
  readonly role: Role;
}

/** Creates a session for the user, with its first refresh token and an access token. */
export async function startSession(ctx: Context, account: SessionOwner): Promise<Tokens> {
  const now = ctx.now();
  const id = randomUUID();
  const token = firstRefreshToken();
  const expiresAt = new Date(now.getTime() + absoluteMs).toISOString();
  await ctx.rows.transaction().execute(async (rows) => {
    await rows
      .insertInto("sessions")
      .values({ id, userId: account.id, orgId: account.orgId, createdAt: now.toISOString(), expiresAt })
      .execute();
    await insertRefreshToken(rows, { sessionId: id, sessionExpiresAt: expiresAt }, token, now);
    const login = { lastLoginAt: now.toISOString() };
    await rows.updateTable("users").set(login).where("id", "=", account.id).execute();
  });
  const access = { userId: account.id, orgId: account.orgId, sessionId: id, role: account.role };
  return {
    access_token: await signAccessToken(ctx.accessKey, access, now),
    refresh_token: token.text,
  };
}

export async function insertRefreshToken(
  rows: RowStore,
  session: { readonly sessionId: string; readonly sessionExpiresAt: string },
  token: RefreshToken,
  now: Date,
): Promise<void> {
  const expiresAt = Math.min(now.getTime() + idleMs, Date.parse(session.sessionExpiresAt));
  await rows
    .insertInto("refreshTokens")
    .values({
      id: token.id,
      sessionId: session.sessionId,
      tokenHash: token.hash,
      createdAt: now.toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    })
    .execute();
}

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
