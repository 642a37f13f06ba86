import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Count, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

const Retention = z
  .object({
    retention_days: z.int().nullable().meta({ description: "null: the maximum.", example: 14 }),
    server_retention_days: z.int().meta({
      description:
        "The maximum of the organization: the server's whole days after which all data is removed, or the operator's limit of the organization.",
      example: 30,
    }),
    server_days_by_type: z.record(z.string(), z.int()).meta({
      description: "Types of profiles that the server keeps for fewer days.",
      example: { goroutine: 3 },
    }),
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
      "In whole days, up to the organization's maximum. Older data is removed permanently within the hour.",
    roles: ["admin"],
    body: z.object({
      retention_days: z.int().min(1).max(limits.retentionDaysMax).nullable().meta({ example: 14 }),
    }),
    reply: Retention,
  }),
  endpoint(calls.deleteService, {
    summary: "Delete all data of a service",
    description: "Profiles, HTTP metrics and derived data. Later uploads of the service are stored again.",
    roles: ["admin"],
    params: z.object({ service: ServiceName }),
    body: z.object({
      confirm: z.string().meta({ description: "The name of the service again.", example: "checkout" }),
    }),
    reply: z.object({
      service: ServiceName,
      profiles: Count.meta({ description: "Number of deleted profiles.", example: 432 }),
      http_requests: Count.meta({ description: "Number of deleted HTTP requests.", example: 1840 }),
    }),
    failures: ["not_found"],
  }),
] as const;
