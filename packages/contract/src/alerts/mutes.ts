import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

const MuteEnd = Instant.nullable();

const MuteTags = z
  .record(z.string().min(1).max(limits.tagNameLengthMax), z.string().min(1).max(limits.muteTagValueLengthMax))
  .refine((tags) => Object.keys(tags).length <= limits.muteTagsMax, {
    error: `tags may have at most ${limits.muteTagsMax} names`,
  });

export const AlertMute = z
  .object({
    id: z.uuid().meta({ example: "5b0e7c1a-94d2-4c3f-8a61-d27f90be3c15" }),
    service: ServiceName.nullable().meta({ description: "null: every service.", example: "checkout" }),
    type: ProfileType.nullable().meta({ description: "null: every profile type.", example: "cpu" }),
    tags: MuteTags.optional().meta({
      description:
        "Only alerts whose rise is in profiles with all of these tags. Absent if tags do not matter.",
      example: { env: "staging" },
    }),
    reason: z.string().meta({ description: "May be empty.", example: "Load test of the new cluster" }),
    muted_at: Instant.meta({ description: "When somebody made it." }),
    starts_at: Instant.meta({ description: "It is planned if that is a time to come." }),
    until: MuteEnd.meta({ description: "null: until it is ended.", example: "2026-11-21T10:00:00.000Z" }),
  })
  .meta({ id: "AlertMute" });
export type AlertMute = z.output<typeof AlertMute>;

const Muted = z.object({
  muted: z
    .array(AlertMute)
    .meta({ description: "All mutes that have not ended, those that begin first at the top.", example: [] }),
});

const endpoint = endpointIn("Alerts");

export const muteEndpoints = [
  endpoint(calls.listMutes, {
    summary: "Mutes in force, and planned ones",
    reply: Muted,
  }),
  endpoint(calls.muteAlerts, {
    summary: "Mute alerts of a service, a profile type or tags, now or later",
    description:
      "Services are still evaluated, and their alerts stay in the list. Without `until` it lasts until it is ended. A mute that " +
      "starts now replaces one in force of the same service, type and tags; one with `starts_at` is another one. A mute " +
      "with tags silences an alert if at least half of its rise is in profiles with all of them, and the rest of the rise " +
      "would open no alert.",
    body: z
      .object({
        service: ServiceName.nullable()
          .default(null)
          .meta({ description: "Every service if it is absent; then tags are needed.", example: "checkout" }),
        type: ProfileType.nullable()
          .default(null)
          .meta({ description: "Every profile type if it is absent.", example: "cpu" }),
        tags: MuteTags.default({}).meta({ example: { env: "staging" } }),
        reason: z.string().max(limits.muteReasonLengthMax).default("").meta({ example: "Load test" }),
        starts_at: Instant.optional().meta({
          description: "A time to come; now if it is absent.",
          example: "2026-11-20T22:00:00.000Z",
        }),
        until: MuteEnd.optional().meta({
          description: "A time to come, after `starts_at`.",
          example: "2026-11-21T10:00:00.000Z",
        }),
      })
      .refine(({ service, tags }) => service !== null || Object.keys(tags).length > 0, {
        error: "service or tags must say what to mute",
        path: ["service"],
      }),
    reply: Muted,
    failures: ["unprocessable"],
  }),
  endpoint(calls.unmuteAlerts, {
    summary: "Unmute the alerts of one profile type of a service",
    description:
      "Ends the mute in force of exactly this service and type. It fails if only a mute of more than that silences them.",
    body: z.object({ service: ServiceName, type: ProfileType }),
    reply: Muted,
    failures: ["unprocessable"],
  }),
  endpoint(calls.endMute, {
    summary: "End a mute, or cancel a planned one",
    params: z.object({ id: z.string().meta({ example: "5b0e7c1a-94d2-4c3f-8a61-d27f90be3c15" }) }),
    reply: Muted,
    failures: ["not_found"],
  }),
] as const;
