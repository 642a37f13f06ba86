import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Count } from "./profiles.ts";
import { hiddenRule, isReadableLine } from "./readable.ts";
import { Instant } from "./time.ts";

const ApiKeyId = z.uuid().meta({ example: "6b0f9e3c-2d47-4a18-9c5e-7f1a20d4b683" });

export const keyScopes = ["ingest", "read"] as const;
export const KeyScope = z.enum(keyScopes).meta({
  description: "`ingest` sends profiles and HTTP metrics; `read` lets a coding agent read through `/mcp`.",
  example: "ingest",
});
export type KeyScope = z.output<typeof KeyScope>;

export const ApiKey = z
  .object({
    id: ApiKeyId,
    name: z.string().meta({ example: "checkout, production" }),
    scope: KeyScope,
    prefix: z.string().meta({ description: "The public start of the key.", example: "fk_7Kq2nB4xWm" }),
    is_active: z.boolean().meta({ example: true }),
    created_at: Instant,
    updated_at: Instant,
    last_used: Instant.nullable().meta({ example: "2026-11-20T09:58:31.000Z" }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.output<typeof ApiKey>;

const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({
    description: "The full secret. Only this reply contains it.",
    example: "fk_7Kq2nB4xWm1D...",
  }),
}).meta({ id: "CreatedApiKey" });

const nameRequired = "API key name is required";
const area = "API keys";

export const listApiKeys = endpoint({
  method: "GET",
  path: "/api/v1/protected/api-keys",
  area,
  summary: "The organization's API keys, newest first",
  auth: "session",
  query: z.object({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    page_size: z.coerce.number().int().min(1).max(limits.apiKeyPageSizeMax).default(limits.apiKeyPageSize),
  }),
  reply: z.object({
    api_keys: z.array(ApiKey),
    page: Count.meta({ example: 1 }),
    page_size: Count.meta({ example: 20 }),
    total: Count.meta({ example: 1 }),
  }),
});

export const createApiKey = endpoint({
  method: "POST",
  path: "/api/v1/protected/api-keys",
  area,
  summary: "Create an API key",
  description:
    "The reply carries the full key; it goes in the `X-API-Key` header of what sends profiles or, with the scope `read`, of a coding agent.",
  auth: "session",
  body: z.object({
    name: z
      .string({ error: nameRequired })
      .trim()
      .min(1, { error: nameRequired })
      .max(limits.apiKeyNameLengthMax, {
        error: `API key name must be at most ${limits.apiKeyNameLengthMax} characters`,
      })
      .refine(isReadableLine, { error: `API key name ${hiddenRule}` })
      .meta({ example: "checkout, production" }),
    scope: KeyScope.default("ingest"),
  }),
  reply: z.object({ api_key: CreatedApiKey }),
  status: 201,
  failures: ["quota_exceeded"],
});

export const revokeApiKey = endpoint({
  method: "DELETE",
  path: "/api/v1/protected/api-keys/{id}",
  area,
  summary: "Revoke an API key",
  description: "Takes effect at once and permanently; the key stays in the list as inactive.",
  auth: "session",
  params: z.object({ id: z.string().meta(ApiKeyId.meta() ?? {}) }),
  reply: z.object({ api_key: ApiKey }),
  failures: ["not_found"],
});
