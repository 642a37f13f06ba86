import { z } from "zod";
import { endpoint, roles } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { OrganizationId } from "./organizations.ts";
import { Count } from "./profiles.ts";
import { Instant } from "./time.ts";

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
      description: `Requests of its API keys that were refused in the last ${limits.apiKeyUsageDays} days; the settings of the organization show the reasons for each key.`,
      example: 0,
    }),
    last_profile_at: Instant.nullable().meta({
      description: "When the latest stored profile arrived.",
      example: "2026-11-20T09:58:31.000Z",
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

export const operatorOverview = endpoint({
  method: "GET",
  path: "/api/v1/protected/operator/overview",
  area: "Operation",
  summary: "Organizations of this server, what they use, and its limits",
  description:
    "For the operator: the first account of the installation, or the one that it handed the role to. It shows no profiles and no names of people. Health is in /api/v1/status.",
  auth: "session",
  roles,
  isOpenToDemo: false,
  isForOperator: true,
  reply: z.object({
    organizations: z.array(OrganizationUsage),
    deleted_organizations: z
      .array(DeletedOrganization)
      .meta({ description: `The last ${limits.deletedOrganizationsMax}, newest first.`, example: [] }),
    users: Count.meta({ example: 12 }),
    limits: z.object({
      signup: z.enum(["open", "invite"]).meta({ description: "SIGNUP", example: "open" }),
      retention_days: Count.meta({ description: "RETENTION_DAYS", example: 30 }),
      stored_bytes_max: Count.meta({
        description: "ORG_STORED_BYTES_MAX, for each organization",
        example: 10_995_116_277_760,
      }),
      api_keys_max: Count.meta({ description: "ORG_API_KEYS_MAX, for each organization", example: 1000 }),
      projects_max: Count.meta({ description: "ORG_PROJECTS_MAX, for each organization", example: 1000 }),
      uploads_per_minute: Count.meta({ description: "INGEST_PER_MINUTE, for each key", example: 120_000 }),
      analyses_per_day: Count.meta({
        description: "ORG_ANALYSES_PER_DAY, for each organization",
        example: 2000,
      }),
    }),
  }),
  failures: ["rate_limited"],
});
