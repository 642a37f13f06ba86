import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { Count, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

const perProfile =
  "CPU time over the profiles' duration, in cores of one instance; null without CPU profiles.";

export const ServiceTrend = z
  .object({
    name: ServiceName,
    health: z.enum(["healthy", "warning", "critical"]).meta({
      description:
        "By its open alerts that are not muted: `critical` from an increase of 0.5 or by a critical rule, else `warning`; `healthy` without any.",
      example: "warning",
    }),
    open_alerts: Count.meta({ description: "Open now and not muted.", example: 1 }),
    worst_alert: z
      .object({
        profile_type: ProfileType,
        increase: z.number().meta({ description: "A fraction.", example: 0.35 }),
      })
      .nullable()
      .meta({
        description:
          "The one of the open alerts with the largest increase, without those of rules; null without any.",
      }),
    cpu: z.object({
      points: z
        .array(z.number().nullable())
        .meta({ description: `One for each bucket. ${perProfile}`, example: [0.31, null, 0.32] }),
      current: z.number().nullable().meta({ description: "Mean of the range.", example: 0.32 }),
      previous: z
        .number()
        .nullable()
        .meta({ description: "Mean of the range of the same length before.", example: 0.21 }),
    }),
  })
  .meta({ id: "ServiceTrend" });
export type ServiceTrend = z.output<typeof ServiceTrend>;

const endpoint = endpointIn("Summaries");

export const serviceTrendEndpoints = [
  endpoint(calls.serviceTrends, {
    summary: "Health and CPU of all services over time",
    description:
      "Services with CPU profiles in the range or the one before, or with open alerts, by name. The range is widened to whole buckets.",
    query: z.object(rangeFields("24h")),
    reply: z.object({
      from: Instant.meta({ description: "Start of the first bucket." }),
      to: Instant.meta({ description: "End of the last bucket." }),
      bucket_seconds: Count.meta({
        description: "Chosen so that there are about 32 buckets.",
        example: 2700,
      }),
      services: z.array(ServiceTrend),
    }),
  }),
] as const;
