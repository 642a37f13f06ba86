import { z } from "zod";
import { endpointIn, failureCodes } from "#base/endpoint.ts";
import type { FailureCode } from "#base/failure-status.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { StoredType } from "#base/profile-type-schemas.ts";
import { Count, ListCursor, NextCursor, ServiceName, wholeNumber } from "#base/values.ts";
import * as calls from "./calls.ts";

export const SenderState = z.enum(["silent", "stopped_types", "sending", "irregular"]).meta({
  description:
    "`silent`: a regular sender without uploads. `stopped_types`: some of its types stopped, others continue. " +
    "`irregular`: no uploads now, and never regular, such as a batch job. Regular senders sent for at least an hour and in 90% of " +
    "the time since they were first seen; they are silent after five intervals, and at least ten minutes.",
  example: "silent",
});
export type SenderState = z.output<typeof SenderState>;

const IntervalSeconds = z.number().nullable().meta({
  description: "Median time between two profiles of an instance; null if it sent too few.",
  example: 15,
});

const SenderType = z
  .object({
    type: StoredType,
    last_profile_at: Instant.meta({ description: "Start of the latest profile, at most now." }),
    state: SenderState.exclude(["stopped_types"]).meta({ example: "sending" }),
  })
  .meta({ id: "SenderType" });

const DroppedTags = z
  .object({
    count: Count.meta({ description: "The most of a profile.", example: 28 }),
    names: z.array(z.string()).meta({ description: "Some of their names.", example: ["team", "zone"] }),
  })
  .nullable()
  .meta({ description: "null if no tag was dropped." });

const ClockErrorSeconds = z.number().nullable().meta({
  description:
    "Least time between the end of a profile and its arrival. Negative: the sender's clock is ahead. Large: it is behind, or uploads are late. null if it is not known.",
  example: 0.4,
});

const SenderKey = z
  .object({
    id: z.uuid().meta({ example: "6b0f9e3c-2d47-4a18-9c5e-7f1a20d4b683" }),
    name: z.string().meta({ example: "checkout, production" }),
    prefix: z.string().meta({ example: "fk_7Kq2nB4xWm" }),
    is_active: z.boolean().meta({ description: "Neither revoked nor expired.", example: true }),
    rejected: Count.meta({ description: "Requests since `rejected_since`, of all services.", example: 12 }),
    rejections: z
      .array(
        z.object({
          code: z.enum(failureCodes as [FailureCode, ...FailureCode[]]).meta({ example: "too_large" }),
          count: Count.meta({ example: 12 }),
          last_at: Instant,
          last_message: z.string().meta({
            description: "The latest rejection, as the sender received it.",
            example: "The body is larger than 16777216 bytes. Send a smaller one.",
          }),
        }),
      )
      .meta({ description: "By code, the most frequent first." }),
  })
  .meta({ id: "SenderKey" });
export type SenderKey = z.output<typeof SenderKey>;

export const Sender = z
  .object({
    service: ServiceName,
    state: SenderState,
    since: Instant.nullable().meta({
      description:
        "Arrival of the last profile before the silence of the service or its types; null while it sends.",
    }),
    last_received_at: Instant.meta({ description: "When its last upload arrived." }),
    types: z.array(SenderType).meta({ description: `Of the last ${limits.sendersDays} days.` }),
    interval_seconds: IntervalSeconds,
    received: z.array(Count).meta({
      description: "Profiles and batches of HTTP metrics by their start, one number for each bucket.",
      example: [120, 118, 0],
    }),
    instances: Count.meta({
      description: `Instances in the last hour before its latest profile, at most ${limits.senderInstancesMax}.`,
      example: 3,
    }),
    key_ids: z.array(z.uuid()).meta({
      description: "Keys used in this hour; empty for uploads of the server and of earlier versions.",
      example: ["6b0f9e3c-2d47-4a18-9c5e-7f1a20d4b683"],
    }),
    dropped_tags: DroppedTags,
    clock_error_seconds: ClockErrorSeconds,
  })
  .meta({ id: "Sender" });
export type Sender = z.output<typeof Sender>;

const SenderInstance = z
  .object({
    name: z.string().nullable().meta({
      description: "Its tag `instance`, or another tag that names a process; null without one.",
      example: "checkout-7d9f-x2x1c",
    }),
    types: z.array(
      z.object({ type: StoredType, last_profile_at: Instant, interval_seconds: IntervalSeconds }),
    ),
    last_received_at: Instant,
    profiles: Count.meta({ example: 240 }),
    key_ids: z.array(z.uuid()).meta({ example: ["6b0f9e3c-2d47-4a18-9c5e-7f1a20d4b683"] }),
    dropped_tags: DroppedTags,
    clock_error_seconds: ClockErrorSeconds,
  })
  .meta({ id: "SenderInstance" });
export type SenderInstance = z.output<typeof SenderInstance>;

const endpoint = endpointIn("Profiles");

export const senderEndpoints = [
  endpoint(calls.listSenders, {
    summary: "Senders: uploads and silence by service",
    description:
      "Services of the last days: silent services first, latest silence on top, then services that stopped sending a type, then the others by name.",
    query: z.object({
      q: z.string().max(limits.searchLengthMax).optional().meta({
        description: "Only services with all words of this text in their name, in any case.",
        example: "check",
      }),
      service: ServiceName.optional().meta({ description: "Only the service with this name." }),
      problems: z.stringbool().default(false).meta({
        description: "true: only silent services, and services that stopped sending a type.",
        example: "true",
      }),
      limit: wholeNumber(limits.sendersListLimitMax, limits.sendersListLimit),
      cursor: ListCursor,
    }),
    reply: z.object({
      from: Instant.meta({ description: "Start of the first bucket." }),
      to: Instant.meta({ description: "End of the last bucket, which may still fill." }),
      bucket_seconds: Count.meta({ example: 1800 }),
      senders: z.array(Sender),
      next_cursor: NextCursor,
      total: Count.meta({ description: "Services that match.", example: 12 }),
      silent: Count.meta({ description: "Silent services of the organization.", example: 1 }),
      stopped_types: Count.meta({ description: "Services that stopped sending a type.", example: 0 }),
      rejected_since: z.iso
        .date()
        .meta({ description: "The first day of `rejected`, UTC.", example: "2026-11-19" }),
      keys: z.array(SenderKey).meta({
        description: `Keys of these services, and at most ${limits.rejectedKeysMax} keys with rejected requests of unknown services.`,
      }),
    }),
  }),
  endpoint(calls.listSenderInstances, {
    summary: "Uploads by instance of a service",
    description:
      "The last day before its latest profile, or less if the service sends very much. Instances that stopped last come first.",
    params: z.object({ service: ServiceName }),
    reply: z.object({
      from: Instant,
      to: Instant,
      instances: z.array(SenderInstance).meta({ description: `At most ${limits.senderInstancesMax}.` }),
    }),
    failures: ["not_found"],
  }),
] as const;
