import { sessionOfRefreshToken } from "#auth/sessions/refresh.ts";
import { endSession } from "#auth/sessions/session.ts";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import type { Context } from "#context";

/** Ends the session of an access or refresh token. Succeeds without a valid token too: then there is no session to end. */
export async function signOut(ctx: Context, token: string | undefined): Promise<{ message: string }> {
  if (token !== undefined) {
    const claims = await readAccessToken(ctx.accessKeys, token, ctx.now());
    const sessionId = claims?.sessionId ?? (await sessionOfRefreshToken(ctx, token));
    if (sessionId !== undefined) await endAndRecord(ctx, sessionId);
  }
  return { message: "Signed out" };
}

async function endAndRecord(ctx: Context, sessionId: string): Promise<void> {
  const session = await ctx.sessions.find(sessionId);
  await endSession(ctx, sessionId);
  if (session === undefined) return;
  const actor = { kind: "user", id: session.userId } as const;
  await ctx.audit.record(session.orgId, { event: "session.ended", actor });
}
