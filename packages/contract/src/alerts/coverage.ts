import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { Count, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

const Rise = z
  .object({
    increase: z.number().meta({ description: "Fraction.", example: 0.18 }),
    within_seconds: Count.meta({
      description: "From the start of the increase to the notification, in 9 of 10 cases.",
      example: 1200,
    }),
  })
  .meta({ id: "FoundRise" });

/** Why the noise of a signal is not learnt, or why a sample type is not judged at all. */
const CoverageReason = z.enum(["few_days", "few_profiles", "no_profiles", "block_profiles", "not_judged"]);

const CoveredSignal = z
  .object({
    type: ProfileType,
    sample_type: z.string().meta({ example: "cpu/nanoseconds" }),
    signal: z.enum(["http_p95", "http_error_rate"]).optional().meta({
      description: "Signal of the requests of `route`; absent for profiles.",
      example: "http_p95",
    }),
    route: z.string().optional().meta({ description: "Method and path.", example: "GET /orders/{id}" }),
    judged_by: z.enum(["learnt_noise", "first_days", "nothing"]).meta({
      description:
        "`learnt_noise`: by the normal range of this signal. `first_days`: by a fixed rule with larger limits.",
      example: "learnt_noise",
    }),
    reason: z
      .object({
        code: CoverageReason.meta({ example: "few_days" }),
        text: z.string().meta({
          example:
            "2 days of history. Flamekeep needs 5 days to learn the normal range; until then it reports only large increases.",
        }),
      })
      .nullable()
      .meta({ description: "Why its normal range is not learned; null if it is.", example: null }),
    noise: z
      .object({
        window_seconds: Count.meta({ example: 600 }),
        deviation: z.number().meta({
          description:
            "Standard deviation of the change of the mean against the time before the window, as a fraction.",
          example: 0.03,
        }),
      })
      .nullable()
      .meta({ description: "null if the signal is not evaluated." }),
    smallest: Rise.nullable().meta({ description: "The smallest increase that is detected." }),
    within_hour: Rise.nullable().meta({
      description: "The smallest increase that is detected within an hour.",
    }),
    rises: z.array(z.object({ increase: z.number(), within_seconds: Count.nullable() })).meta({
      description: "Detection time by size of the increase; null if not detected.",
      example: [
        { increase: 0.2, within_seconds: 1800 },
        { increase: 0.3, within_seconds: 1200 },
        { increase: 0.5, within_seconds: 900 },
        { increase: 1, within_seconds: 900 },
      ],
    }),
  })
  .meta({ id: "CoveredSignal" });
export type CoveredSignal = z.output<typeof CoveredSignal>;

const MarkedAlerts = z
  .object({
    days: Count.meta({ description: "The counted time.", example: 90 }),
    opened: Count.meta({
      description: "Alerts that opened in this time, without those of rules.",
      example: 14,
    }),
    expected: Count.meta({ description: "Those of them that are marked as expected.", example: 2 }),
    text: z.string().meta({ example: "2 of 14 alerts of this service in 90 days were marked as expected." }),
  })
  .meta({ id: "MarkedAlerts", description: "The measured rate of false alarms of a service." });

export const AlertCoverage = z
  .object({
    service: ServiceName,
    judged_at: Instant.nullable().meta({
      description: "Time of the computation. null without an evaluation in the last eight days.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    message: z.string().nullable().meta({
      description: "Why `signals` is empty; null otherwise.",
      example: null,
    }),
    false_alarms: MarkedAlerts,
    signals: z.array(CoveredSignal),
    improvements: z
      .array(
        z.object({
          code: z.enum(["http_metrics", "route_requests", "cpu_profiles", "version_tag", "instance_tag"]),
          text: z.string(),
        }),
      )
      .meta({
        description: "Improvements of what the service sends, most useful first.",
        example: [
          {
            code: "http_metrics",
            text: "Send HTTP metrics. With request counts, alerts can tell heavier traffic from slower code immediately.",
          },
        ],
      }),
  })
  .meta({ id: "AlertCoverage" });
export type AlertCoverage = z.output<typeof AlertCoverage>;

const endpoint = endpointIn("Alerts");

export const coverageEndpoints = [
  endpoint(calls.getAlertCoverage, {
    summary: "Detection limits of a service's alerts",
    description:
      "Each signal with its noise, the smallest sustained increase detected 9 times out of 10, and how long that takes. Computed from the " +
      "current thresholds every half hour, and when a signal starts or ends, for an increase of the whole service " +
      "at constant traffic.",
    params: z.object({ service: ServiceName }),
    reply: AlertCoverage,
  }),
] as const;
