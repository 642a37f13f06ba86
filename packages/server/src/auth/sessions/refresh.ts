import { timingSafeEqual } from "node:crypto";
import { sessionEndedMessage, type Tokens } from "@flamekeep/contract";
import type { Selectable } from "kysely";
import { signAccessToken } from "#auth/tokens/access-token.ts";
import { nextRefreshToken, parseRefreshToken, type RefreshToken } from "#auth/tokens/refresh-token.ts";
import type { Context } from "#context";
import { unauthenticated } from "#failure";
import { acrossOrganizations, type Database } from "#store/row/row-store.ts";
import { runSteps } from "#store/row/steps.ts";
import { endSession, insertRefreshToken, lastUse, type SessionOrigin } from "./session.ts";

/** The grace period for two tabs or a lost reply: within it, a token that was just exchanged yields the same child again. */
const graceMs = 20_000;

const sessionEnded = () => unauthenticated(sessionEndedMessage);

/** Exchanges a refresh token for the next pair. A reused token revokes its whole session (RFC 9700, 4.14.2). */
export async function refresh(
  ctx: Context,
  text: string | undefined,
  origin: SessionOrigin,
): Promise<Tokens> {
  const parent = text === undefined ? undefined : parseRefreshToken(text);
  if (parent === undefined) throw sessionEnded();
  const row = await tokenRow(ctx, parent);
  if (row === undefined) throw sessionEnded();
  const now = ctx.now();
  const session = await ctx.sessions.find(row.sessionId);
  if (session === undefined || row.expiresAt <= now.toISOString()) throw sessionEnded();
  const child = await exchange(ctx, { parent, row, origin });
  if (child === undefined) {
    await endSession(ctx, row.sessionId);
    ctx.metrics.count(
      "flamekeep_refresh_reuse_total",
      "Sessions revoked because a refresh token was reused.",
    );
    const actor = { kind: "user", id: session.userId } as const;
    await ctx.audit.record(session.orgId, { event: "session.reused", outcome: "failure", actor });
    ctx.log.warn(
      { sessionId: row.sessionId, userId: session.userId },
      "refresh token reuse detected; session revoked",
    );
    throw sessionEnded();
  }
  return {
    access_token: signAccessToken(ctx.accessKeys, { ...session, sessionId: row.sessionId }, now),
    refresh_token: child.text,
  };
}

/** The session of a refresh token, whether or not the token has been exchanged. */
export async function sessionOfRefreshToken(ctx: Context, text: string): Promise<string | undefined> {
  const token = parseRefreshToken(text);
  return token === undefined ? undefined : (await tokenRow(ctx, token))?.sessionId;
}

type TokenRow = Pick<Selectable<Database["refreshTokens"]>, "id" | "sessionId" | "expiresAt"> & {
  readonly sessionExpiresAt: string;
};

async function tokenRow(ctx: Context, token: RefreshToken): Promise<TokenRow | undefined> {
  const row = await acrossOrganizations(ctx.rows)
    .selectFrom("refreshTokens")
    .innerJoin("sessions", "sessions.id", "refreshTokens.sessionId")
    .select([
      "refreshTokens.id",
      "refreshTokens.sessionId",
      "refreshTokens.tokenHash",
      "refreshTokens.expiresAt",
      "sessions.expiresAt as sessionExpiresAt",
    ])
    .where("refreshTokens.id", "=", token.id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return timingSafeEqual(Buffer.from(row.tokenHash, "hex"), Buffer.from(token.hash, "hex")) ? row : undefined;
}

/** The child of a token; undefined if the token was exchanged before and its grace is over. */
async function exchange(
  ctx: Context,
  { parent, row, origin }: { parent: RefreshToken; row: TokenRow; origin: SessionOrigin },
): Promise<RefreshToken | undefined> {
  const child = nextRefreshToken(ctx.refreshKeys[0], parent);
  if (await rotate(ctx, row, { child, origin })) return child;
  // The exchange may have been made before the secret was changed.
  for (const key of ctx.refreshKeys) {
    const earlier = nextRefreshToken(key, parent);
    if (await isInGrace(ctx, parent, earlier)) return earlier;
  }
  return undefined;
}

class ExchangedBeforeError extends Error {
  override readonly name = "ExchangedBeforeError";
}

/** Exchanges the token for its child; false if it has been exchanged before. */
async function rotate(
  { rows, now: clock }: Context,
  row: TokenRow,
  { child, origin }: { readonly child: RefreshToken; readonly origin: SessionOrigin },
): Promise<boolean> {
  const now = clock();
  const exchanged = rows
    .updateTable("refreshTokens")
    .set({ rotatedAt: now.toISOString() })
    .where("id", "=", row.id)
    .where("rotatedAt", "is", null);
  const used = acrossOrganizations(rows)
    .updateTable("sessions")
    .set(lastUse(origin, now))
    .where("id", "=", row.sessionId);
  try {
    await runSteps(rows, [
      { statement: exchanged, orThrow: () => new ExchangedBeforeError() },
      { statement: insertRefreshToken(rows, row, child, now) },
      { statement: used },
    ]);
    return true;
  } catch (error) {
    if (error instanceof ExchangedBeforeError) return false;
    throw error;
  }
}

/** True for the immediate parent of an unused token during the grace period; older tokens never qualify. */
async function isInGrace(ctx: Context, parent: RefreshToken, child: RefreshToken): Promise<boolean> {
  const rows = await ctx.rows
    .selectFrom("refreshTokens")
    .select(["id", "rotatedAt"])
    .where("id", "in", [parent.id, child.id])
    .execute();
  const rotatedAt = rows.find(({ id }) => id === parent.id)?.rotatedAt;
  const isChildUnused = rows.some((row) => row.id === child.id && row.rotatedAt === null);
  if (rotatedAt === undefined || rotatedAt === null || !isChildUnused) return false;
  return ctx.now().getTime() - Date.parse(rotatedAt) <= graceMs;
}
