import { z } from "zod";
import { endpointIn, failureCodes } from "#base/endpoint.ts";
import type { FailureCode } from "#base/failure-status.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { Count, givenName, wholeNumber } from "#base/values.ts";
import * as calls from "./calls.ts";

const ApiKeyId = z.uuid().meta({ example: "6b0f9e3c-2d47-4a18-9c5e-7f1a20d4b683" });

export const keyScopes = ["ingest", "read", "read_write"] as const;

export const KeyScope = z.enum(keyScopes).meta({
  description:
    "`ingest` sends profiles and HTTP metrics; `read` lets a coding agent read through `/mcp`; with `read_write` it also starts analyses, marks advice and comments on incidents.",
  example: "ingest",
});
export type KeyScope = z.output<typeof KeyScope>;

export const KeyFormat = z.enum(["flamekeep", "datadog"]).meta({
  description:
    "`datadog` is 32 hexadecimal digits: Datadog's libraries send no other key without an agent. Every call takes keys of both forms.",
  example: "flamekeep",
});
export type KeyFormat = z.output<typeof KeyFormat>;

export const ApiKey = z
  .object({
    id: ApiKeyId,
    name: z.string().meta({ example: "checkout, production" }),
    scope: KeyScope,
    prefix: z.string().meta({ description: "The public start of the key.", example: "fk_7Kq2nB4xWm" }),
    is_active: z
      .boolean()
      .meta({ description: "Whether it is active: neither revoked nor expired.", example: true }),
    created_at: Instant,
    created_by: z
      .object({
        name: z.string().meta({ example: "Ada Lovelace" }),
        is_member: z
          .boolean()
          .meta({ description: "Whether they still belong to the organization.", example: true }),
      })
      .nullable()
      .meta({ description: "Null for a key created by the server." }),
    updated_at: Instant,
    expires_at: Instant.nullable().meta({
      description: "Null: no expiry.",
      example: "2027-02-18T09:00:00.000Z",
    }),
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

const KeyUsageDay = z.object({
  day: z.iso.date().meta({ description: "UTC.", example: "2026-11-20" }),
  profiles: Count.meta({ example: 8640 }),
  bytes: Count.meta({ example: 622_080_000 }),
  refused: Count.meta({ example: 12 }),
});

const KeyRefusals = z.object({
  code: z.enum(failureCodes as [FailureCode, ...FailureCode[]]).meta({ example: "too_large" }),
  count: Count.meta({ example: 12 }),
  last_at: Instant,
  last_message: z.string().meta({
    description: "The latest rejection, as the sender received it.",
    example: "The body is larger than 16777216 bytes. Send a smaller one.",
  }),
});

export const KeyUsage = z
  .object({
    since: z.iso.date().meta({ description: "The first day that is counted, UTC.", example: "2026-10-22" }),
    profiles: Count.meta({
      description: "Stored profiles and batches of HTTP metrics, without repeated uploads.",
      example: 259_200,
    }),
    bytes: Count.meta({ description: "Bodies of those requests, as sent.", example: 18_662_400_000 }),
    refused: Count.meta({ description: "Rejected requests.", example: 12 }),
    days: z.array(KeyUsageDay).meta({ description: "Days with uploads, oldest first." }),
    refusals: z.array(KeyRefusals).meta({ description: "By code, the most frequent first." }),
  })
  .meta({ id: "KeyUsage" });
export type KeyUsage = z.output<typeof KeyUsage>;

const endpoint = endpointIn("API keys");

export const apiKeyEndpoints = [
  endpoint(calls.listApiKeys, {
    summary: "The organization's API keys, newest first",
    query: z.object({
      page: wholeNumber(100_000, 1),
      page_size: wholeNumber(limits.apiKeyPageSizeMax, limits.apiKeyPageSize),
    }),
    reply: z.object({
      api_keys: z.array(ApiKey),
      page: Count.meta({ example: 1 }),
      page_size: Count.meta({ example: 20 }),
      total: Count.meta({ example: 1 }),
    }),
  }),
  endpoint(calls.readApiKeyUsage, {
    summary: "Uploads and rejected requests of an API key",
    description: `The last ${limits.apiKeyUsageDays} days. Counts are a few seconds old; a server crash loses those seconds.`,
    params: z.object({ id: z.string().meta(ApiKeyId.meta() ?? {}) }),
    reply: z.object({ usage: KeyUsage }),
    failures: ["not_found"],
  }),
  endpoint(calls.createApiKey, {
    summary: "Create an API key",
    description:
      "The reply contains the full key. Senders of profiles, or coding agents with the scope `read` or `read_write`, pass it in the `X-API-Key` header.",
    body: z.object({
      name: givenName("API key name", limits.apiKeyNameLengthMax).meta({ example: "checkout, production" }),
      scope: KeyScope.default("ingest"),
      format: KeyFormat.default("flamekeep"),
      expires_in_days: z.int().min(1).max(limits.apiKeyDaysMax).nullable().default(null).meta({
        description: "Afterwards the key is rejected with the code `key_expired`. Null: no expiry.",
        example: 90,
      }),
    }),
    reply: z.object({ api_key: CreatedApiKey }),
    status: 201,
    failures: ["quota_exceeded"],
  }),
  endpoint(calls.revokeApiKey, {
    summary: "Revoke an API key",
    description:
      "Takes effect immediately and permanently; the key stays in the list as inactive. No effect on a revoked key.",
    params: z.object({ id: z.string().meta(ApiKeyId.meta() ?? {}) }),
    reply: z.object({ api_key: ApiKey }),
    failures: ["not_found"],
  }),
] as const;
