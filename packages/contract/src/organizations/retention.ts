import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Count, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

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

const endpoint = endpointIn("Retention");

export const retentionEndpoints = [
  endpoint(calls.getRetention, {
    summary: "How long the organization's data is kept",
    reply: Retention,
  }),
  endpoint(calls.updateRetention, {
    summary: "Change how long the organization's data is kept",
    description:
      "In whole days, at most what the server keeps. Older data is removed within the hour, permanently.",
    roles: ["admin"],
    body: z.object({
      retention_days: z.int().min(1).max(limits.retentionDaysMax).nullable().meta({ example: 14 }),
    }),
    reply: Retention,
  }),
  endpoint(calls.deleteService, {
    summary: "Delete everything a service sent",
    description:
      "Profiles, HTTP metrics and what was derived from them. Later uploads of the service are stored again.",
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
  }),
] as const;
