import { randomUUID } from "node:crypto";
import type { createApiKey, ReplyOf } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { requireRole } from "#http/actor.ts";
import { newApiKey } from "#http/api-key.ts";
import { presentApiKey } from "./present.ts";

/** The reply is the only place the full key ever stands in. */
export async function createKey(
  ctx: Context,
  actor: Actor,
  name: string,
): Promise<ReplyOf<typeof createApiKey>> {
  requireRole(actor, "admin", "member");
  const { key, publicId, prefix, hash } = newApiKey();
  const at = ctx.now().toISOString();
  const row = {
    id: randomUUID(),
    publicId,
    name,
    prefix,
    isActive: 1 as const,
    createdAt: at,
    updatedAt: at,
    lastUsedAt: null,
  };
  await ctx.rows
    .insertInto("apiKeys")
    .values({ ...row, orgId: actor.orgId, secretHash: hash, createdBy: actor.userId })
    .execute();
  ctx.log.info({ keyId: row.id, orgId: actor.orgId, userId: actor.userId }, "API key created");
  return { api_key: { ...presentApiKey(row), key } };
}
