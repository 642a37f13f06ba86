import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import type { InputOf, ReplyOf } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { generateApiKey } from "#auth/keys/api-key.ts";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import { announceRevoked, revokeKeys } from "#auth/keys/revoke-keys.ts";
import type { Actor, Context, UserActor } from "#context";
import { notFound, quotaExceeded } from "#failure";
import { limitRefusals } from "#telemetry/metrics.ts";
import { presentApiKey } from "./present.ts";
import { presentUsage } from "./present-usage.ts";
import { countKeys, findKey, insertKey, keysPage, refusalsByDay, usageByDay } from "./queries.ts";

export async function listApiKeys(
  ctx: Context,
  actor: Actor,
  { page, page_size: size }: InputOf<typeof calls.listApiKeys>,
): Promise<ReplyOf<typeof calls.listApiKeys>> {
  const now = ctx.now();
  const [rows, total] = await Promise.all([
    keysPage(ctx.rows, actor.orgId, { page, size }),
    countKeys(ctx.rows, actor.orgId),
  ]);
  return {
    api_keys: rows.map((row) => presentApiKey(row, now)),
    page,
    page_size: size,
    total,
  };
}

/** The full key is only in this reply: the store has its hash. */
export async function createApiKey(
  ctx: Context,
  actor: UserActor,
  { name, scope, expires_in_days }: InputOf<typeof calls.createApiKey>,
): Promise<ReplyOf<typeof calls.createApiKey>> {
  const { key, publicId, prefix, hash } = generateApiKey();
  const now = ctx.now();
  const at = now.toISOString();
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
    expiresAt:
      expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * dayMs).toISOString(),
  };
  const { apiKeysMax } = ctx.config.organization;
  const stored = { ...row, orgId: actor.orgId, secretHash: hash, createdBy: actor.userId };
  if (!(await insertKey(ctx.rows, actor, stored, apiKeysMax))) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "api_keys" });
    throw quotaExceeded(
      `Your organization has ${apiKeysMax} active API keys, the most this server allows (ORG_API_KEYS_MAX). Revoke one first.`,
    );
  }
  ctx.log.info({ keyId: row.id, orgId: actor.orgId, userId: actor.userId }, "API key created");
  const created = await findKey(ctx.rows, actor.orgId, row.id);
  if (created === undefined) throw notFound("API key", row.id);
  return { api_key: { ...presentApiKey(created, now), key } };
}

/** The uploads of a key in the last days, and the reasons of refusals. */
export async function readApiKeyUsage(
  ctx: Context,
  actor: Actor,
  { id }: InputOf<typeof calls.readApiKeyUsage>,
): Promise<ReplyOf<typeof calls.readApiKeyUsage>> {
  if ((await findKey(ctx.rows, actor.orgId, id)) === undefined) throw notFound("API key", id);
  await ctx.keyUsage.flush();
  const range = { orgId: actor.orgId, keyId: id, since: firstUsageDay(ctx.now()) };
  const [days, refusals] = await Promise.all([usageByDay(ctx.rows, range), refusalsByDay(ctx.rows, range)]);
  return { usage: presentUsage(range.since, days, refusals) };
}

/** Takes effect at once in this process, and within ten seconds in others on the same store, which remember keys. */
export async function revokeApiKey(
  ctx: Context,
  actor: UserActor,
  { id }: InputOf<typeof calls.revokeApiKey>,
): Promise<ReplyOf<typeof calls.revokeApiKey>> {
  const now = ctx.now();
  const revoked = await revokeKeys(ctx.rows, { orgId: actor.orgId, now }, { id });
  const row = await findKey(ctx.rows, actor.orgId, id);
  if (row === undefined) throw notFound("API key", id);
  await announceRevoked(ctx, actor, revoked);
  return { api_key: presentApiKey(row, now) };
}
