import { bearerOf } from "#auth/credentials.ts";
import { sessionOfRefreshToken } from "#auth/sessions/refresh.ts";
import { endSession } from "#auth/sessions/session.ts";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import type { Context } from "#context";
import type { Caller } from "#http/endpoint/caller.ts";
import { Reply } from "#http/reply/reply.ts";

/** Ends the session of an access or refresh token. Succeeds without a valid token too: then there is no session to end. */
export async function signOut(
  ctx: Context,
  _actor: null,
  _input: object,
  caller: Caller,
): Promise<Reply<{ message: string }>> {
  const token = bearerOf(caller.headers);
  if (token !== undefined) {
    const claims = await readAccessToken(ctx.accessKeys, token, ctx.now());
    const sessionId = claims?.sessionId ?? (await sessionOfRefreshToken(ctx, token));
    if (sessionId !== undefined) await endAndRecord(ctx, sessionId);
  }
  // Not "storage": the app removes its tokens itself, at once, and this reply may come after another sign-in.
  return new Reply({ message: "Signed out" }, { headers: { "clear-site-data": '"cache"' } });
}

async function endAndRecord(ctx: Context, sessionId: string): Promise<void> {
  const session = await ctx.sessions.find(sessionId);
  await endSession(ctx, sessionId);
  if (session === undefined) return;
  const actor = { kind: "user", id: session.userId } as const;
  await ctx.audit.record(session.orgId, { event: "session.ended", actor });
}
