import { sessionOfRefreshToken } from "#auth/sessions/refresh.ts";
import { endSession } from "#auth/sessions/session.ts";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import type { Context } from "#context";

/** Ends the session of an access or refresh token. Succeeds without a valid token too: then there is no session to end. */
export async function signOut(ctx: Context, token: string | undefined): Promise<{ message: string }> {
  if (token !== undefined) {
    const claims = await readAccessToken(ctx.accessKeys, token, ctx.now());
    const sessionId = claims?.sessionId ?? (await sessionOfRefreshToken(ctx, token));
    if (sessionId !== undefined) await endSession(ctx, sessionId);
  }
  return { message: "Signed out" };
}
