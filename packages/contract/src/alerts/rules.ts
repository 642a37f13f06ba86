import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { hiddenInLineRule, isReadableLine, isServiceName } from "#base/readable.ts";
import { ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

/** The values that a rule watches: values of profiles, or of a service's requests. */
export const ruleSignals = ["profile", "http_p95", "http_error_rate", "http_request_rate"] as const;
export type RuleSignal = (typeof ruleSignals)[number];

export const ruleComparisons = ["above", "below"] as const;
export type RuleComparison = (typeof ruleComparisons)[number];

export const ruleSeverities = ["critical", "warning", "info"] as const;

const nameRequired = "name must say what the rule watches";

const RuleName = z
  .string({ error: nameRequired })
  .trim()
  .min(1, { error: nameRequired })
  .max(limits.ruleNameLengthMax)
  .refine(isReadableLine, { error: `name ${hiddenInLineRule}` })
  .meta({ example: "Heap too large" });

const RuleTags = z
  .record(z.string().min(1).max(limits.tagNameLengthMax), z.string().min(1).max(limits.muteTagValueLengthMax))
  .refine((tags) => Object.keys(tags).length <= limits.ruleTagsMax, {
    error: `tags may have at most ${limits.ruleTagsMax} names`,
  });

const RuleRoute = z
  .string()
  .min(1)
  .max(limits.ruleRouteLengthMax)
  .refine(isReadableLine, { error: `route ${hiddenInLineRule}` });

/** The fields of a rule that decide when it opens an alert. */
const condition = {
  service: ServiceName.refine(isServiceName, {
    error: "service must be the name of a service, such as checkout",
  }),
  signal: z
    .enum(ruleSignals)
    .default("profile")
    .meta({
      description:
        "`profile`: a sample type of profiles, the mean per instance. The others measure the requests of the service, or of one " +
        "`route`: the p95 of their durations, the fraction with status 5xx, and the requests each second.",
      example: "profile",
    }),
  profile_type: ProfileType.nullable().default(null).meta({
    description: "Required for the signal `profile`, null for the others.",
    example: "memory",
  }),
  sample_type: z
    .string()
    .max(limits.sampleTypeLengthMax)
    .regex(/^[^/].*\/[^/]+$/, { error: "sample_type must be TYPE/UNIT, such as inuse_space/bytes" })
    .nullable()
    .default(null)
    .meta({
      description: "As for `profile_type`. Any sample type of the profiles.",
      example: "inuse_space/bytes",
    }),
  route: RuleRoute.nullable().default(null).meta({
    description:
      "Only requests of this route: method and path, or a path with all of its methods. Null for profiles.",
    example: null,
  }),
  tags: RuleTags.default({}).meta({
    description: "Only profiles with all of these tags. Requests have none.",
    example: { env: "production" },
  }),
  comparison: z.enum(ruleComparisons).meta({ example: "above" }),
  threshold: z
    .number()
    .min(0)
    .max(1e18)
    .meta({ description: "In the `unit` of the rule.", example: 2_147_483_648 }),
  minutes: z.int().min(1).max(limits.ruleMinutesMax).meta({
    description: "How long every value must stay past the threshold.",
    example: 10,
  }),
};

type Condition = z.output<z.ZodObject<typeof condition>>;

function hasSeries({ signal, profile_type, sample_type }: Condition): boolean {
  const isOfProfiles = signal === "profile";
  return (profile_type !== null) === isOfProfiles && (sample_type !== null) === isOfProfiles;
}

/** A rule needs the series that its signal has, and a threshold that values can be beyond. */
function consistent<S extends z.ZodType<Condition>>(schema: S): S {
  return schema
    .refine(hasSeries, {
      error:
        "profile_type and sample_type are needed for the signal profile, and must be left out for signals of requests",
      path: ["sample_type"],
    })
    .refine(({ signal, route }) => signal !== "profile" || route === null, {
      error: "route must be left out for the signal profile: profiles are of all routes",
      path: ["route"],
    })
    .refine(({ signal, tags }) => signal === "profile" || Object.keys(tags).length === 0, {
      error: "tags must be left out for signals of requests, which have no tags",
      path: ["tags"],
    })
    .refine(({ comparison, threshold }) => comparison === "above" || threshold > 0, {
      error: "threshold must be greater than 0: no value is below 0",
      path: ["threshold"],
    })
    .refine(
      ({ signal, comparison, threshold }) =>
        signal !== "http_error_rate" || threshold < 1 || (comparison === "below" && threshold === 1),
      {
        error: "threshold must be less than 1: the error rate is a fraction of the requests",
        path: ["threshold"],
      },
    );
}

const RuleDefinition = z.object({
  name: RuleName,
  ...condition,
  severity: z.enum(ruleSeverities).default("warning").meta({ example: "warning" }),
  is_enabled: z.boolean().default(true).meta({
    description: "A disabled rule opens no alerts. Disabling resolves its open alert.",
    example: true,
  }),
});

const Unit = z.string().meta({
  description:
    "Of the threshold and the values. Of profiles that of the sample type, for what is counted over time `per second`; of " +
    "requests `seconds`, `ratio` or `requests per second`.",
  example: "bytes",
});

export const AlertRule = RuleDefinition.extend({
  id: z.uuid().meta({ example: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21" }),
  unit: Unit,
  is_firing: z.boolean().meta({ description: "Whether its alert is open.", example: false }),
  created_by: z.string().nullable().meta({
    description: "null if the account no longer exists.",
    example: "Ada Lovelace",
  }),
  created_at: Instant,
}).meta({ id: "AlertRule", description: "A threshold that opens alerts." });
export type AlertRule = z.output<typeof AlertRule>;
export type AlertRuleBody = z.input<typeof RuleDefinition>;

const params = z.object({ id: z.string().meta({ example: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21" }) });

const RuleReply = z.object({ rule: AlertRule });

const RuleOpening = z
  .object({
    began_at: Instant.meta({ description: "The first value past the threshold." }),
    opened_at: Instant,
    resolved_at: Instant.nullable().meta({ description: "null if it would still be open." }),
    value: z.number().meta({ description: "When it opened.", example: 2_305_843_009 }),
  })
  .meta({ id: "RuleOpening" });

export const RulePreview = z
  .object({
    unit: Unit,
    from: Instant.meta({ description: "Start of the first bucket." }),
    to: Instant.meta({ description: "End of the last bucket." }),
    bucket_seconds: z.int().meta({ example: 600 }),
    values: z.array(z.number().nullable()).meta({
      description:
        "The mean of each bucket; null without values. The rule is applied to values of single minutes.",
      example: [1_900_000_000, null, 2_305_843_009],
    }),
    minutes_with_values: z.int().meta({ example: 10_020 }),
    alerts: z
      .array(RuleOpening)
      .meta({ description: `Newest first; the latest ${limits.rulePreviewAlertsMax}.` }),
    alerts_total: z.int().meta({ example: 1 }),
  })
  .meta({ id: "RulePreview" });
export type RulePreview = z.output<typeof RulePreview>;

const endpoint = endpointIn("Alerts");

export const ruleEndpoints = [
  endpoint(calls.listAlertRules, {
    summary: "Rules of the organization, by service and name",
    reply: z.object({
      rules: z.array(AlertRule),
      rules_max: z.int().meta({ description: "The limit of the organization.", example: 200 }),
    }),
  }),
  endpoint(calls.createAlertRule, {
    summary: "Create a rule",
    description:
      "Its alert opens when every value of the last `minutes` is past the threshold. It resolves when values stay back for as " +
      `long, at most for ${limits.ruleBackMinutesMax} minutes. Time without values neither opens nor resolves an alert.`,
    body: consistent(RuleDefinition),
    reply: RuleReply,
    status: 201,
    failures: ["quota_exceeded"],
  }),
  endpoint(calls.updateAlertRule, {
    summary: "Change a rule",
    description:
      "Replaces all fields. A change of anything but the name resolves its open alert; the next evaluation opens a new one if " +
      "values are past the new threshold.",
    params,
    body: consistent(RuleDefinition),
    reply: RuleReply,
    failures: ["not_found"],
  }),
  endpoint(calls.removeAlertRule, {
    summary: "Delete a rule",
    description: "Its open alert resolves. Its alerts stay in the list.",
    params,
    reply: RuleReply,
    failures: ["not_found"],
  }),
  endpoint(calls.previewAlertRule, {
    summary: `The alerts that a rule would have opened in the last ${limits.rulePreviewDays} days`,
    description: "Nothing is stored.",
    body: consistent(z.object(condition)),
    reply: RulePreview,
  }),
] as const;
