import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { DisplayType, ProfileType } from "#base/profile-type-schemas.ts";
import { Count, ServiceName, wholeNumber } from "#base/values.ts";
import {
  AnalysisCategory,
  AnalysisPriority,
  Effect,
  EvidenceFunction,
  FeedbackReason,
  Recommendation,
  recommendationStates,
} from "./analysis.ts";
import * as calls from "./calls.ts";

/** Units of costs. `cores` and `bytes` are in use all the time, so that a price turns them into money. */
export const findingUnits = [
  "cores",
  "bytes",
  "bytes_per_second",
  "milliseconds_per_second",
  "goroutines",
] as const;
export type FindingUnit = (typeof findingUnits)[number];

/** The highest price that can be set. */
const priceMax = 1_000_000;

export const ResourcePrice = z
  .strictObject({
    per_core_month: z.number().min(0).max(priceMax).meta({ example: 24 }),
    per_gb_month: z.number().min(0).max(priceMax).meta({
      description: "For one GB (2^30 bytes) of memory and a month.",
      example: 3.2,
    }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: "The currency must be three capital letters, such as EUR" })
      .meta({ example: "EUR" }),
  })
  .meta({ id: "ResourcePrice" });
export type ResourcePrice = z.output<typeof ResourcePrice>;

const PriceReply = z.object({
  price: ResourcePrice.nullable().meta({ description: "null: findings show no money." }),
});

const FindingCost = z
  .object({
    value: z.number().meta({ description: "Of all instances of the service together.", example: 0.84 }),
    unit: z.enum(findingUnits).meta({ example: "cores" }),
    per_month: z.number().nullable().meta({
      description:
        "Money, in the currency of the price; null without a price, and for other units than cores and bytes.",
      example: 20.16,
    }),
  })
  .meta({ id: "FindingCost" });
export type FindingCost = z.output<typeof FindingCost>;

const Owner = z
  .object({
    user_id: z.uuid().meta({ example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" }),
    name: z.string().meta({ example: "Ada Lovelace" }),
  })
  .meta({ id: "FindingOwner" });

export const Finding = z
  .object({
    id: z.uuid().meta({ example: "5d0c8f62-91ab-4f0e-8f6a-30c1b7d2e945" }),
    service: ServiceName,
    type: ProfileType,
    display_type: DisplayType,
    category: AnalysisCategory,
    priority: AnalysisPriority,
    confidence: Recommendation.shape.confidence,
    rule: Recommendation.shape.rule,
    issue: Recommendation.shape.issue,
    impact: Recommendation.shape.impact,
    solution: Recommendation.shape.solution,
    function: EvidenceFunction.pick({ name: true, file: true, line: true })
      .nullable()
      .meta({ description: "The culprit; null if the advice names no function." }),
    sample_type: z.string().meta({ example: "cpu" }),
    cost: FindingCost.nullable().meta({
      description: "What it costs now; null if the profiles do not tell.",
    }),
    saving: FindingCost.nullable().meta({
      description: "What following the advice should save; null without an estimate.",
    }),
    first_seen_at: Instant,
    last_seen_at: Instant.meta({ description: "End of the latest analysed data that shows it." }),
    is_current: z.boolean().meta({
      description: "Whether the newest analysis of the service and type shows it.",
      example: true,
    }),
    analysis_id: z.uuid().meta({ example: "8a1f4f0e-3f0c-4d58-9a62-0d4d7c0f5f10" }),
    recommendation_id: Recommendation.shape.id,
    profile_id: z.string().nullable().meta({
      description: "The analysed profile; null if a range was analysed.",
      example: null,
    }),
    range: z
      .object({ from: Instant, to: Instant })
      .meta({ description: "The analysed data.", id: "FindingRange" }),
    owner: Owner.nullable().meta({ description: "The member responsible for it; null: nobody." }),
    state: z.enum(recommendationStates).meta({ example: "open" }),
    reason: z.string().nullable().meta({ description: "Why it was dismissed.", example: null }),
    state_at: Instant.nullable().meta({ description: "When the state was set; null while it is open." }),
    effect: Effect.nullable().meta({
      description:
        "Measured after it is done, and of an accepted one after each deploy. An accepted one that improved can be marked as done.",
    }),
  })
  .meta({ id: "Finding", description: "Advice about one function of a service, by one rule." });
export type Finding = z.output<typeof Finding>;

const FindingTotals = z
  .object({
    findings: Count.meta({ description: "Open and accepted ones.", example: 14 }),
    cores: z.number().meta({ example: 3.2 }),
    bytes: z.number().meta({ example: 1_180_000_000 }),
    bytes_per_second: z.number().meta({ description: "Of allocations.", example: 12_000_000 }),
    milliseconds_per_second: z
      .number()
      .meta({ description: "Of waiting for locks and channels.", example: 120 }),
    goroutines: z.number().meta({ example: 0 }),
    per_month: z.number().nullable().meta({ description: "null without a price.", example: 96.1 }),
  })
  .meta({
    id: "FindingTotals",
    description:
      "What open and accepted findings save together. Each saves its share of what the others leave, so that the sum never exceeds the use.",
  });

const FindingQuery = z.object({
  service: ServiceName.optional(),
  category: AnalysisCategory.optional(),
  state: z
    .enum(["active", ...recommendationStates, "all"])
    .default("active")
    .meta({ description: "`active`: open and accepted.", example: "open" }),
  owner: z
    .union([z.literal("none"), z.uuid()])
    .optional()
    .meta({ description: "Id of a member, or `none`.", example: "none" }),
  limit: wholeNumber(limits.findingListLimitMax, limits.findingListLimit),
  cursor: z.string().max(300).optional().meta({ description: "`next_cursor` of the previous page." }),
});

const endpoint = endpointIn("Analysis");

export const findingEndpoints = [
  endpoint(calls.listFindings, {
    summary: "The findings of all services, largest savings first",
    description:
      "From the newest analysis of each service and type, without comparisons. Each rule and function of a service is listed once. Accepted, done and dismissed ones stay after analyses no longer show them.",
    query: FindingQuery,
    reply: z.object({
      findings: z.array(Finding),
      next_cursor: z.string().nullable().meta({ description: "null on the last page.", example: null }),
      totals: FindingTotals.meta({ description: "Of all pages with this service, category and owner." }),
      counts: z
        .object({ open: Count, accepted: Count, done: Count, dismissed: Count })
        .meta({ id: "FindingCounts", description: "By state, with this service, category and owner." }),
      services: z
        .array(ServiceName)
        .meta({ description: "Services with findings, whatever the filter.", example: ["checkout"] }),
      price: ResourcePrice.nullable(),
    }),
  }),
  endpoint(calls.updateFinding, {
    summary: "Change the state or the owner of a finding",
    description:
      "Only the fields that the body has. `accepted`: somebody will do it; its effect is measured after each deploy, which is a new version tag of the service. `done`: measured on profiles from now on. `dismissed` needs a reason, and the advice is not repeated. `open` undoes the others.",
    params: z.object({ id: z.string().meta({ example: "5d0c8f62-91ab-4f0e-8f6a-30c1b7d2e945" }) }),
    body: z.strictObject({
      state: z.enum(recommendationStates).optional().meta({ example: "accepted" }),
      reason: FeedbackReason.optional(),
      owner_id: z.uuid().nullable().optional().meta({
        description: "A member of the organization; null: nobody.",
        example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21",
      }),
    }),
    reply: z.object({ finding: Finding }),
    failures: ["not_found", "unprocessable"],
  }),
  endpoint(calls.getResourcePrice, {
    summary: "The price of a core and of memory, with which findings show money",
    reply: PriceReply,
  }),
  endpoint(calls.updateResourcePrice, {
    summary: "Set the price of a core and of memory",
    roles: ["admin"],
    body: PriceReply,
    reply: PriceReply,
  }),
] as const;
