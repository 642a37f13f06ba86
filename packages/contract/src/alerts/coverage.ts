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
      description: "From the beginning of the rise to the message, in nine of ten cases.",
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
      description: "Absent for values of profiles; else the value of the requests of `route`.",
      example: "http_p95",
    }),
    route: z.string().optional().meta({ description: "Method and path.", example: "GET /orders/{id}" }),
    judged_by: z.enum(["learnt_noise", "first_days", "nothing"]).meta({
      description:
        "`learnt_noise`: by the usual changes of this signal. `first_days`: by a fixed rule with larger limits.",
      example: "learnt_noise",
    }),
    reason: z
      .object({
        code: CoverageReason.meta({ example: "few_days" }),
        text: z.string().meta({
          example:
            "Known for 2 days. Its usual changes are learnt from the fifth day on; until then only larger rises are reported.",
        }),
      })
      .nullable()
      .meta({ description: "Why its noise is not learnt; null if it is.", example: null }),
    noise: z
      .object({
        window_seconds: Count.meta({ example: 600 }),
        deviation: z.number().meta({
          description:
            "Standard deviation of the change of the mean from the time before such a window, as a fraction.",
          example: 0.03,
        }),
      })
      .nullable()
      .meta({ description: "null if the signal is not judged." }),
    smallest: Rise.nullable().meta({ description: "The smallest rise that is found at all." }),
    within_hour: Rise.nullable().meta({ description: "The smallest rise that is found within an hour." }),
    rises: z.array(z.object({ increase: z.number(), within_seconds: Count.nullable() })).meta({
      description: "How fast rises of these sizes are found; null if they are not.",
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

export const AlertCoverage = z
  .object({
    service: ServiceName,
    judged_at: Instant.nullable().meta({
      description:
        "When the numbers were computed. null if the service was not judged in the last eight days.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    message: z.string().nullable().meta({
      description: "Why there are no signals; null if there are some.",
      example: null,
    }),
    signals: z.array(CoveredSignal),
    improvements: z
      .array(
        z.object({
          code: z.enum(["http_metrics", "route_requests", "cpu_profiles", "version_tag", "instance_tag"]),
          text: z.string(),
        }),
      )
      .meta({
        description: "What to send so that alerts see more, most useful first.",
        example: [
          {
            code: "http_metrics",
            text: "Send HTTP metrics. Alerts then tell more traffic from slower code at once.",
          },
        ],
      }),
  })
  .meta({ id: "AlertCoverage" });
export type AlertCoverage = z.output<typeof AlertCoverage>;

const endpoint = endpointIn("Alerts");

export const coverageEndpoints = [
  endpoint(calls.getAlertCoverage, {
    summary: "What alerts can see of a service, and what they cannot",
    description:
      "Each signal with its noise, the smallest lasting rise that would be found now, and how fast. The numbers come from the " +
      "thresholds that judge the signal, and are renewed every half hour, and when a signal begins or ends. They are about a rise of the whole service " +
      "without a change in traffic.",
    params: z.object({ service: ServiceName }),
    reply: AlertCoverage,
  }),
] as const;
