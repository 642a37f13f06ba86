import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Count, ServiceName } from "./profiles.ts";

const area = "Retention";
const path = "/api/v1/protected/organization/retention";

const Retention = z
  .object({
    retention_days: z
      .int()
      .nullable()
      .meta({ description: "null: as long as the server keeps data.", example: 14 }),
    server_retention_days: z
      .int()
      .meta({ description: "Whole days after which all data is removed.", example: 30 }),
  })
  .meta({ id: "Retention" });

export const getRetention = endpoint({
  method: "GET",
  path,
  area,
  summary: "How long the organization's data is kept",
  auth: "session",
  reply: Retention,
});

export const updateRetention = endpoint({
  method: "PUT",
  path,
  area,
  summary: "Change how long the organization's data is kept",
  description:
    "In whole days, at most what the server keeps. Older data is removed within the hour, permanently.",
  auth: "session",
  roles: ["admin"],
  body: z.object({
    retention_days: z.int().min(1).max(limits.retentionDaysMax).nullable().meta({ example: 14 }),
  }),
  reply: Retention,
});

export const deleteService = endpoint({
  method: "DELETE",
  path: "/api/v1/protected/services/{service}",
  area,
  summary: "Delete everything a service sent",
  description:
    "Profiles, HTTP metrics and what was derived from them. Later uploads of the service are stored again.",
  auth: "session",
  roles: ["admin"],
  params: z.object({ service: ServiceName }),
  body: z.object({
    confirm: z.string().meta({ description: "The name of the service again.", example: "checkout" }),
  }),
  reply: z.object({
    service: ServiceName,
    profiles: Count.meta({ description: "Profiles that were deleted.", example: 432 }),
    http_requests: Count.meta({ description: "HTTP requests that were deleted.", example: 1840 }),
  }),
  failures: ["not_found"],
});
