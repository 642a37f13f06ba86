import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, moment, momentFormats } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { Count, ProfileId, Quantity, ServiceName, wholeNumber } from "#base/values.ts";
import { Culprit, GrownFunction } from "./alert-functions.ts";
import * as calls from "./calls.ts";

/** The rule that opened an alert, as it was then: it may have been changed or deleted since. */
export const alertOfRule = z
  .object({
    id: z.uuid().meta({ example: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21" }),
    name: z.string().meta({ example: "Heap too large" }),
    condition: z.string().meta({
      description: "The comparison and the threshold in a readable unit.",
      example: "above 2 GB",
    }),
    comparison: z.enum(["above", "below"]).meta({ example: "above" }),
    threshold: z.number().meta({ description: "In the unit of the alert's values.", example: 2_147_483_648 }),
    minutes: z.int().meta({ description: "How long values had to stay past the threshold.", example: 10 }),
    tags: z.record(z.string(), z.string()).meta({ example: { env: "production" } }),
    ended: z.enum(["changed", "disabled", "removed"]).optional().meta({
      description:
        "The change of the rule that resolved the alert. Absent if values returned below the threshold.",
    }),
  })
  .optional()
  .meta({
    description:
      "The rule that opened the alert. Then it is no regression, `previous_value` is the threshold, and `increase` is the distance " +
      "from it. Absent for regressions.",
  });

const Handled = z
  .object({
    by: z.string().nullable().meta({
      description: "null if the account no longer exists.",
      example: "Ada Lovelace",
    }),
    at: Instant,
  })
  .meta({ id: "Handled", description: "The person who handled an alert, and the time." });

/** Acknowledgement and acceptance of an alert. */
export const alertHandling = {
  acknowledged: Handled.optional().meta({ description: "Absent if not acknowledged." }),
  expected: Handled.optional().meta({
    description: "The person who marked it as expected, which resolves it. Absent otherwise.",
  }),
};

const TimeSpan = z.object({ from: Instant, to: Instant }).meta({ id: "TimeSpan" });

export const Alert = z
  .object({
    id: z.uuid().meta({ example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845" }),
    incident_id: z.uuid().meta({
      description:
        "Alerts of one service that start together form one incident, with the ID of its first alert.",
      example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    }),
    profile_id: ProfileId.meta({
      description:
        "The newest profile of the worse window. An alert about requests of a service without CPU profiles names a batch of HTTP metrics.",
    }),
    type: z
      .enum([...ProfileType.options, "resolved"])
      .meta({ description: "Kind of profile, or `resolved`.", example: "cpu" }),
    profile_type: ProfileType,
    sample_type: z.string().meta({ example: "cpu/nanoseconds" }),
    signal: z
      .enum(["http_p95", "http_error_rate", "http_request_rate", "silence", "function"])
      .optional()
      .meta({
        description:
          "`silence`: a sender stopped, and the values are its uploads. `function`: functions rose while the service as a whole did not, and the values are of `culprit`. Otherwise the values are of the requests of `route`, and the profile is the newest of type cpu. Absent if they are of profiles.",
        example: "http_p95",
      }),
    route: z.string().optional().meta({
      description:
        "Method and path; a rule may name a path alone. Absent for rules on all requests of the service.",
      example: "GET /orders/{id}",
    }),
    unit: z.string().meta({
      description:
        "Of the values: of one instance, of requests `seconds`, `ratio` for the error rate, or `requests per second`; of a silence `uploads per hour`.",
      example: "nanoseconds per second",
    }),
    service: ServiceName,
    timestamp: Instant.meta({ description: "When it opened." }),
    began_at: Instant.nullable().meta({
      description:
        "When the rise began: the change point between the two ranges. null if it is older than `previous_range`, and for " +
        "alerts of earlier versions.",
      example: "2026-11-20T09:42:10.000Z",
    }),
    began_error_seconds: z.number().optional().meta({
      description:
        "Uncertainty of `began_at` in both directions. Absent if the start is a release or is known to a few minutes.",
      example: 1800,
    }),
    resolved_before: Instant.optional().meta({
      description:
        "When the alert before it of this series, or rule, was resolved, if that was within hours: then both are in one incident. Absent otherwise.",
    }),
    status: z.enum(["open", "resolved"]).meta({ example: "open" }),
    resolved_at: Instant.nullable().meta({ example: null }),
    severity: z.enum(["critical", "warning", "info"]).meta({
      description:
        "critical from an increase of 0.5, warning from 0.2. Rules set their own severity; a silence is a warning.",
      example: "critical",
    }),
    previous_value: Quantity.meta({
      description:
        "Baseline: the mean of the range before, adjusted for traffic and time of day. For a rule, the threshold.",
      example: 410_900_000,
    }),
    current_value: Quantity.meta({ example: 695_900_000 }),
    increase: z.number().meta({ description: "Fraction.", example: 0.69 }),
    percent_change: z.number().meta({ example: 69.4 }),
    likely_increase: z
      .object({ from: z.number(), to: z.number() })
      .optional()
      .meta({
        description:
          "Between which fractions the increase is in nine of ten cases. Absent if values are not noisy.",
        example: { from: 0.3, to: 0.6 },
      }),
    growth_per_hour: z.number().optional().meta({
      description:
        "Fraction per hour: 0.04 if values keep growing by 4% an hour. Absent after a single step.",
      example: 0.04,
    }),
    highest_before: z
      .object({ value: Quantity.meta({ example: 1_288_490_188 }), at: Instant })
      .optional()
      .meta({
        description:
          "Mean of the highest hour in the three weeks before growth started. Absent after a single step.",
      }),
    restarts_every_seconds: z.number().optional().meta({
      description:
        "Median time between restarts, if values drop at each restart and grow in between. Absent otherwise.",
      example: 21_600,
    }),
    run: z
      .object({ seconds: z.number(), usual_seconds: z.number() })
      .optional()
      .meta({
        description:
          "Of a service that runs some hours a day: how long the run had taken when the alert opened, and the median of earlier runs. " +
          "Absent if the alert is not about that. The values are means over this time, in which an ended run uses nothing.",
        example: { seconds: 21_600, usual_seconds: 7200 },
      }),
    instances: z
      .array(z.string())
      .optional()
      .meta({
        description: "The affected instances. Absent if the whole service is affected.",
        example: ["checkout-7d9f-x2x1c"],
      }),
    instances_running: Count.optional().meta({
      description:
        "Number of instances that ran when the alert opened. Absent if the whole service is affected.",
      example: 10,
    }),
    version: z
      .string()
      .optional()
      .meta({ description: "The version these instances share.", example: "1.8.0" }),
    culprit: Culprit.optional().meta({
      description:
        "Absent if no function of the application has 5% of the increase, and for alerts of earlier versions.",
    }),
    release: z
      .object({
        before: z.string().meta({ example: "1.7.2" }),
        after: z.string().meta({ example: "1.8.0" }),
        at: Instant.meta({ description: "The first profile of the new version." }),
        instances: z
          .object({ running: Count, all: Count })
          .optional()
          .meta({
            description:
              "Number of instances on the new version when the alert opened. Absent if instances are unknown.",
            example: { running: 1, all: 10 },
          }),
        values: z
          .object({ before: Quantity, after: Quantity })
          .optional()
          .meta({
            description:
              "Mean of an instance on each version, in the time in which both ran. Absent if they did not run side by side.",
            example: { before: 1_000_000_000, after: 1_400_000_000 },
          }),
      })
      .optional()
      .meta({ description: "A version first seen within an hour of the start." }),
    has_requests: z
      .boolean()
      .optional()
      .meta({
        description:
          "Whether the service sends HTTP metrics. Without them, heavier traffic cannot be told apart from slower code. " +
          "Absent for alerts of earlier versions.",
        example: true,
      }),
    service_increase: z.number().optional().meta({
      description:
        "Change of the whole service between the two ranges, as a fraction. Only of the signal `function`, for which it is small.",
      example: 0.01,
    }),
    functions: z.array(GrownFunction).meta({
      description:
        "Largest increase of the self value first; of the signal `function` after the culprit, and shares are of the largest rise.",
    }),
    previous_range: TimeSpan,
    current_range: TimeSpan,
    is_muted: z
      .boolean()
      .meta({ description: "Sends no notifications and does not count as open.", example: false }),
    unmuted_at: Instant.optional().meta({
      description: "Time of the first notification, for an alert that opened while muted. Absent otherwise.",
    }),
    rule: alertOfRule,
    ...alertHandling,
  })
  .meta({ id: "Alert" });
export type Alert = z.output<typeof Alert>;

const params = z.object({ id: z.string().meta({ example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845" }) });

const reply = z.object({ alert: Alert });

/** Query parameters of a list of alerts or of incidents. */
export function listFields(noun: "alerts" | "incidents", limit: ReturnType<typeof wholeNumber>) {
  return {
    service: ServiceName.optional(),
    status: z.enum(["open", "resolved", "all"]).default("all"),
    from: moment("from")
      .optional()
      .meta({ description: `Only ${noun} open at or after this time: ${momentFormats}.`, example: "24h" }),
    to: moment("to")
      .optional()
      .meta({ description: `Only ${noun} opened before this time: ${momentFormats}.`, example: "now" }),
    limit,
    cursor: z.string().max(300).optional().meta({ description: "`next_cursor` of the previous page." }),
  };
}

const endpoint = endpointIn("Alerts");

export const alertEndpoints = [
  endpoint(calls.listAlerts, {
    summary: "Alerts about the organization's services, newest first",
    description:
      "An alert opens when usage of a service, or of some of its instances, rises at least 15% above " +
      "its normal range of the past weeks, and neither traffic nor time of the week explains it. In its first days a " +
      "series must rise 20 to 35% in two evaluations. A rule opens an alert with `rule` when values are past its threshold.",
    query: z.object(listFields("alerts", wholeNumber(limits.alertListLimitMax, limits.alertListLimit))),
    reply: z.object({
      alerts: z.array(Alert),
      next_cursor: z.string().nullable().meta({ description: "null on the last page.", example: null }),
      open_count: Count.meta({ description: "Open and not muted, of all services.", example: 1 }),
    }),
  }),
  endpoint(calls.acknowledgeAlert, {
    summary: "Acknowledge an alert, or undo it",
    description: "Shows who is working on it, and since when. The alert stays open.",
    params,
    body: z.object({ is_acknowledged: z.boolean().default(true).meta({ example: true }) }),
    reply,
    failures: ["not_found", "unprocessable"],
  }),
  endpoint(calls.expectAlert, {
    summary: "Mark an open alert as expected, or undo it",
    description:
      "The alert resolves, and its level becomes the new baseline of the series, or of the affected instances. " +
      "After undoing, the alert stays resolved, and the old baseline " +
      "applies again.",
    params,
    body: z.object({ is_expected: z.boolean().default(true).meta({ example: true }) }),
    reply,
    failures: ["not_found", "unprocessable"],
  }),
] as const;
