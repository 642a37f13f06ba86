import type * as calls from "@flamekeep/contract";
import type { InputOf, MovedSession } from "@flamekeep/contract";
import { signAccessToken } from "#auth/tokens/access-token.ts";
import type { Context, UserActor } from "#context";
import { notFound } from "#failure";
import { acrossOrganizations } from "#store/row/row-store.ts";
import { accountInOrganization } from "./queries.ts";
import { presentUser } from "./user.ts";

/**
 * Moves a session to another organization of its user, and returns the token for it: a token names the organization that it
 * was made for, and works only while the session is in it. Throws 404 for organizations without the user.
 */
export async function moveSession(
  ctx: Context,
  { sessionId, userId }: Pick<UserActor, "sessionId" | "userId">,
  { id: orgId }: InputOf<typeof calls.switchOrganization>,
): Promise<MovedSession> {
  const account = await accountInOrganization(ctx.rows, orgId, userId);
  if (account === undefined) throw notFound("Organization", orgId);
  await ctx.rows.transaction().execute(async (rows) => {
    await acrossOrganizations(rows)
      .updateTable("sessions")
      .set({ orgId })
      .where("id", "=", sessionId)
      .where("userId", "=", userId)
      .execute();
    await rows.updateTable("users").set({ lastOrgId: orgId }).where("id", "=", userId).execute();
  });
  ctx.sessions.forget(sessionId);
  const claims = { userId, orgId, sessionId, role: account.role };
  return {
    user: presentUser(account),
    access_token: signAccessToken(ctx.accessKeys, claims, ctx.now()),
  };
}
