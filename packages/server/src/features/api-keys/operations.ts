import { randomUUID } from "node:crypto";
import type {
  createApiKey as createCall,
  KeyScope,
  listApiKeys as listCall,
  ReplyOf,
  revokeApiKey as revokeCall,
} from "@flamekeep/contract";
import { generateApiKey } from "#auth/keys/api-key.ts";
import type { Actor, Context, UserActor } from "#context";
import { notFound, quotaExceeded } from "#failure";
import { limitRefusals } from "#telemetry/metrics.ts";
import { presentApiKey } from "./present.ts";
import { countKeys, insertKey, keysPage, revokeKey } from "./queries.ts";

export async function listApiKeys(
  ctx: Context,
  actor: Actor,
  query: { readonly page: number; readonly page_size: number },
): Promise<ReplyOf<typeof listCall>> {
  const [rows, total] = await Promise.all([
    keysPage(ctx.rows, actor.orgId, { page: query.page, size: query.page_size }),
    countKeys(ctx.rows, actor.orgId),
  ]);
  return { api_keys: rows.map(presentApiKey), page: query.page, page_size: query.page_size, total };
}

/** The full key is only in this reply: the store has its hash. */
export async function createApiKey(
  ctx: Context,
  actor: UserActor,
  { name, scope }: { readonly name: string; readonly scope: KeyScope },
): Promise<ReplyOf<typeof createCall>> {
  const { key, publicId, prefix, hash } = generateApiKey();
  const at = ctx.now().toISOString();
  const row = {
    id: randomUUID(),
    publicId,
    name,
    scope,
    prefix,
    isActive: 1 as const,
    createdAt: at,
    updatedAt: at,
    lastUsedAt: null,
  };
  const { apiKeysMax } = ctx.config.organization;
  const stored = { ...row, orgId: actor.orgId, secretHash: hash, createdBy: actor.userId };
  if (!(await insertKey(ctx.rows, stored, apiKeysMax))) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "api_keys" });
    throw quotaExceeded(
      `Your organization has ${apiKeysMax} active API keys, the most this server allows (ORG_API_KEYS_MAX). Revoke one first.`,
    );
  }
  ctx.log.info({ keyId: row.id, orgId: actor.orgId, userId: actor.userId }, "API key created");
  return { api_key: { ...presentApiKey(row), key } };
}

/** Takes effect at once in this process, and within ten seconds in others on the same store, which remember keys. */
export async function revokeApiKey(
  ctx: Context,
  actor: UserActor,
  id: string,
): Promise<ReplyOf<typeof revokeCall>> {
  const row = await revokeKey(ctx.rows, actor.orgId, id, ctx.now());
  if (row === undefined) throw notFound("API key", id);
  ctx.keys.forget(row.publicId);
  ctx.log.info({ keyId: id, orgId: actor.orgId, userId: actor.userId }, "API key revoked");
  return { api_key: presentApiKey(row) };
}
