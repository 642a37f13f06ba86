import type { ReplyOf, revokeApiKey } from "@flamekeep/contract";
import type { Context, UserActor } from "#context";
import { notFound } from "#failure";
import { presentApiKey } from "./present.ts";
import { deactivateKey } from "./queries.ts";

/** Takes effect at once in this process, and within ten seconds in other processes on the same store. */
export async function revokeKey(
  ctx: Context,
  actor: UserActor,
  id: string,
): Promise<ReplyOf<typeof revokeApiKey>> {
  const row = await deactivateKey(ctx.rows, actor.orgId, id, ctx.now());
  if (row === undefined) throw notFound("API key", id);
  ctx.keys.forget(row.publicId);
  ctx.log.info({ keyId: id, orgId: actor.orgId, userId: actor.userId }, "API key revoked");
  return { api_key: presentApiKey(row) };
}
