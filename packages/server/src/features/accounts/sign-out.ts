import type { Context } from "#context";
import { readAccessToken } from "#http/access-token.ts";
import { sessionOfRefreshToken } from "./refresh.ts";
import { endSession } from "./session.ts";

/** Ends the session of an access or refresh token. What is no token of ours has no session left to end. */
export async function signOut(ctx: Context, token: string | undefined): Promise<{ message: string }> {
  if (token !== undefined) {
    const claims = await readAccessToken(ctx.accessKey, token, ctx.now());
    const sessionId = claims?.sessionId ?? (await sessionOfRefreshToken(ctx, token));
    if (sessionId !== undefined) await endSession(ctx, sessionId);
  }
  return { message: "Signed out" };
}
