import { z } from "zod";
import { PasswordAgain } from "#accounts/second-factor.ts";
import { roles } from "#base/call.ts";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { Count } from "#base/values.ts";
import { OrganizationId } from "#organizations/organization.ts";
import { LimitsInUse } from "#organizations/organization-limits.ts";
import * as calls from "./calls.ts";
import { operatorLimitEndpoints, StoredStoragePrice } from "./operator-limits.ts";

export const OrganizationUsage = z
  .object({
    id: OrganizationId,
    name: z.string().meta({ example: "Ada's organization" }),
    is_demo: z.boolean().meta({ example: false }),
    created_at: Instant,
    members: Count.meta({ example: 3 }),
    active_api_keys: Count.meta({ example: 2 }),
    profiles: Count.meta({ description: "Stored profiles.", example: 18_240 }),
    stored_bytes: Count.meta({ description: "Uploads as they were sent.", example: 1_312_000_000 }),
    refused_requests: Count.meta({
      description: `Rejected requests of its API keys in the last ${limits.apiKeyUsageDays} days; the settings of the organization show the reasons for each key.`,
      example: 0,
    }),
    last_profile_at: Instant.nullable().meta({
      description: "When the latest stored profile arrived.",
      example: "2026-11-20T09:58:31.000Z",
    }),
    limits: LimitsInUse,
    storage_cost: z.number().nonnegative().nullable().meta({
      description: "Of a month, in the currency of the storage price; null without a price.",
      example: 0.1,
    }),
  })
  .meta({ id: "OrganizationUsage" });
export type OrganizationUsage = z.output<typeof OrganizationUsage>;

export const DeletedOrganization = z
  .object({
    id: OrganizationId,
    name: z.string().meta({ example: "Checkout team" }),
    deleted_at: Instant,
    data_removed_at: Instant.nullable().meta({
      description: "null while its data is being removed.",
      example: "2026-11-20T10:05:00.000Z",
    }),
  })
  .meta({ id: "DeletedOrganization" });
export type DeletedOrganization = z.output<typeof DeletedOrganization>;

const UserId = z.uuid().meta({ example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" });

const params = z.object({ id: z.string().meta(UserId.meta() ?? {}) });

const operatorOnly = { roles, isOpenToDemo: false, isForOperator: true } as const;

export const OperatedAccount = z
  .object({
    id: UserId,
    email: z.string().meta({ example: "ada@example.com" }),
    is_active: z.boolean().meta({ description: "False: sign-in is blocked.", example: true }),
    is_operator: z.boolean().meta({ example: false }),
    has_second_factor: z.boolean().meta({ example: true }),
    created_at: Instant,
    last_login_at: Instant.nullable().meta({ example: "2026-11-20T08:12:40.000Z" }),
  })
  .meta({ id: "OperatedAccount" });
export type OperatedAccount = z.output<typeof OperatedAccount>;

const endpoint = endpointIn("Operation");

export const operatorEndpoints = [
  endpoint(calls.operatorOverview, {
    summary: "Organizations of this server, what they use, and its limits",
    description:
      "For the operator: the first account of the installation, or the account the role was transferred to. Shows no profiles and no names of people. Health is in /api/v1/status.",
    roles,
    isOpenToDemo: false,
    isForOperator: true,
    reply: z.object({
      organizations: z.array(OrganizationUsage),
      deleted_organizations: z
        .array(DeletedOrganization)
        .meta({ description: `The last ${limits.deletedOrganizationsMax}, newest first.`, example: [] }),
      users: Count.meta({ example: 12 }),
      storage_price: StoredStoragePrice,
      limits: z.object({
        signup: z.enum(["open", "invite"]).meta({ description: "SIGNUP", example: "open" }),
        retention_days: Count.meta({ description: "RETENTION_DAYS", example: 30 }),
        stored_bytes_max: Count.meta({
          description: "ORG_STORED_BYTES_MAX, for each organization",
          example: 10_995_116_277_760,
        }),
        api_keys_max: Count.meta({ description: "ORG_API_KEYS_MAX, for each organization", example: 1000 }),
        projects_max: Count.meta({ description: "ORG_PROJECTS_MAX, for each organization", example: 1000 }),
        services_max: Count.meta({
          description: "ORG_SERVICES_MAX, for each organization",
          example: 100_000,
        }),
        uploads_per_minute: Count.meta({ description: "INGEST_PER_MINUTE, for each key", example: 120_000 }),
        organization_uploads_per_minute: Count.meta({
          description: "ORG_UPLOADS_PER_MINUTE, for each organization",
          example: 1_200_000,
        }),
        analyses_per_day: Count.meta({
          description: "ORG_ANALYSES_PER_DAY, for each organization",
          example: 2000,
        }),
      }),
    }),
    failures: ["rate_limited"],
  }),
  ...operatorLimitEndpoints,
  endpoint(calls.findAccount, {
    summary: "The account with an email address, for the operator",
    ...operatorOnly,
    body: z.object({
      email: z.string().trim().min(1).max(limits.emailLengthMax).meta({ example: "ada@example.com" }),
    }),
    reply: z.object({ account: OperatedAccount }),
    failures: ["not_found"],
  }),
  endpoint(calls.setAccountActive, {
    summary: "Disable or enable an account",
    description:
      "Disabling ends all sessions of the account immediately. Its memberships stay, and its API keys keep working. The operator's account cannot be disabled.",
    ...operatorOnly,
    params,
    body: z.object({ is_active: z.boolean().meta({ example: false }) }),
    reply: z.object({ account: OperatedAccount }),
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.createResetLink, {
    summary: "A password reset link for the owner of an account",
    description:
      "Single use, valid for 30 minutes, replaces earlier links. On a server that sends email, its use confirms the address, so give it only to the owner of the address. Needs the operator's password.",
    ...operatorOnly,
    params,
    body: PasswordAgain,
    reply: z.object({
      url: z.string().meta({ example: "https://flamekeep.example.com/reset-password?token=..." }),
      expires_at: Instant,
    }),
    failures: ["invalid", "not_found", "conflict", "rate_limited"],
  }),
  endpoint(calls.removeSecondFactors, {
    summary: "Remove all second factors of an account whose owner lost them",
    description:
      "Removes the authenticator app, passkeys and recovery codes, and ends all sessions. From then on, the password alone signs in; the owner is notified by email. Needs the operator's password.",
    ...operatorOnly,
    params,
    body: PasswordAgain,
    reply: z.object({ account: OperatedAccount }),
    failures: ["invalid", "not_found", "conflict", "rate_limited"],
  }),
  endpoint(calls.transferOperatorRole, {
    summary: "Make another account the operator of this server",
    description:
      "A server has one operator: the caller loses the role, and only the new operator can return it. Unused reset links of the operator stop working. On a server that sends email, the address must be confirmed. Needs the operator's password.",
    ...operatorOnly,
    params,
    body: PasswordAgain,
    reply: z.object({ account: OperatedAccount }),
    failures: ["invalid", "not_found", "conflict", "rate_limited"],
  }),
] as const;
