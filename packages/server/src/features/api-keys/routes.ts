import { randomUUID } from "node:crypto";
import type { ApiKey, FailureCode, KeyUsage } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import { generateApiKey } from "#auth/keys/api-key.ts";
import { hasExpired } from "#auth/keys/key-lookup.ts";
import { firstUsageDay } from "#auth/keys/key-usage.ts";
import { announceRevoked, revokeKeys } from "#auth/keys/revoke-keys.ts";
import type { Context } from "#context";
import { notFound, quotaExceeded } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import {
  type ApiKeyRow,
  countKeys,
  findKey,
  insertKey,
  keysPage,
  refusalsByDay,
  usageByDay,
} from "./queries.ts";

export function registerApiKeys(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listApiKeys, listApiKeys);
  serve(app, ctx, calls.createApiKey, createApiKey);
  serve(app, ctx, calls.readApiKeyUsage, readApiKeyUsage);
  serve(app, ctx, calls.revokeApiKey, revokeApiKey);
}

const listApiKeys: Operation<typeof calls.listApiKeys> = async (ctx, actor, { page, page_size: size }) => {
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
};

/** The full key is only in this reply: the store has its hash. */
const createApiKey: Operation<typeof calls.createApiKey> = async (
  ctx,
  actor,
  { name, scope, format, expires_in_days },
) => {
  const { key, publicId, prefix, hash } = generateApiKey(format);
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
      `Your organization has reached its limit of ${apiKeysMax} active API keys (ORG_API_KEYS_MAX). Revoke one first.`,
    );
  }
  ctx.log.info({ keyId: row.id, orgId: actor.orgId, userId: actor.userId }, "API key created");
  const created = await findKey(ctx.rows, actor.orgId, row.id);
  if (created === undefined) throw notFound("API key", row.id);
  return { api_key: { ...presentApiKey(created, now), key } };
};

/** The uploads of a key in the last days, and the reasons of refusals. */
const readApiKeyUsage: Operation<typeof calls.readApiKeyUsage> = async (ctx, actor, { id }) => {
  if ((await findKey(ctx.rows, actor.orgId, id)) === undefined) throw notFound("API key", id);
  await ctx.keyUsage.flush();
  const range = { orgId: actor.orgId, keyId: id, since: firstUsageDay(ctx.now()) };
  const [days, refusals] = await Promise.all([usageByDay(ctx.rows, range), refusalsByDay(ctx.rows, range)]);
  return { usage: presentUsage(range.since, days, refusals) };
};

/** Takes effect at once in this process, and within ten seconds in others on the same store, which remember keys. */
const revokeApiKey: Operation<typeof calls.revokeApiKey> = async (ctx, actor, { id }) => {
  const now = ctx.now();
  const revoked = await revokeKeys(ctx.rows, { orgId: actor.orgId, now }, { id });
  const row = await findKey(ctx.rows, actor.orgId, id);
  if (row === undefined) throw notFound("API key", id);
  await announceRevoked(ctx, actor, revoked);
  return { api_key: presentApiKey(row, now) };
};

function presentApiKey(row: ApiKeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    prefix: row.prefix,
    is_active: row.isActive === 1 && !hasExpired(row, now),
    created_at: row.createdAt,
    created_by: creatorOf(row),
    updated_at: row.updatedAt,
    expires_at: row.expiresAt,
    last_used: row.lastUsedAt,
  };
}

function creatorOf({ firstName, lastName, role }: ApiKeyRow): ApiKey["created_by"] {
  if (firstName === null || lastName === null) return null;
  return { name: `${firstName} ${lastName}`.trim(), is_member: role !== null };
}

interface UsageRow {
  readonly day: string;
  readonly profiles: number;
  readonly bytes: number;
}

interface RefusalRow {
  readonly day: string;
  readonly code: string;
  readonly count: number;
  readonly lastAt: string;
  readonly lastMessage: string;
}

/** Sums the rows of a key by day and by code. */
function presentUsage(since: string, usage: readonly UsageRow[], refused: readonly RefusalRow[]): KeyUsage {
  const days = [...new Set([...usage, ...refused].map(({ day }) => day))].toSorted().map((day) => {
    const { profiles = 0, bytes = 0 } = usage.find((row) => row.day === day) ?? {};
    return { day, profiles, bytes, refused: total(refused.filter((row) => row.day === day)) };
  });
  return {
    since,
    profiles: days.reduce((sum, { profiles }) => sum + profiles, 0),
    bytes: days.reduce((sum, { bytes }) => sum + bytes, 0),
    refused: total(refused),
    days,
    refusals: byCode(refused),
  };
}

function byCode(rows: readonly RefusalRow[]): KeyUsage["refusals"] {
  const groups = [...Map.groupBy(rows, ({ code }) => code)].map(([code, ofCode]) => {
    const latest = ofCode.reduce((a, b) => (a.lastAt > b.lastAt ? a : b));
    return {
      code: code as FailureCode,
      count: total(ofCode),
      last_at: latest.lastAt,
      last_message: latest.lastMessage,
    };
  });
  return groups.toSorted((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

function total(rows: readonly RefusalRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
