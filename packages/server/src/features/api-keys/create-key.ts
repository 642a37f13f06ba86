import { randomUUID } from "node:crypto";
import type { createApiKey, ReplyOf } from "@flamekeep/contract";
import { generateApiKey } from "#auth/keys/api-key.ts";
import type { Context, UserActor } from "#context";
import { quotaExceeded } from "#failure";
import { limitRefusals } from "#telemetry/metrics.ts";
import { presentApiKey } from "./present.ts";
import { insertKey } from "./queries.ts";

/** The reply is the only place that contains the full key. */
export async function createKey(
  ctx: Context,
  actor: UserActor,
  name: string,
): Promise<ReplyOf<typeof createApiKey>> {
  const { key, publicId, prefix, hash } = generateApiKey();
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
