import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { ProfileType } from "#base/profile-type-schemas.ts";
import { Count, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

const MuteEnd = Instant.nullable();

const MuteTags = z
  .record(z.string().min(1).max(limits.tagNameLengthMax), z.string().min(1).max(limits.muteTagValueLengthMax))
  .refine((tags) => Object.keys(tags).length <= limits.muteTagsMax, {
    error: `tags may have at most ${limits.muteTagsMax} names`,
  });

const Clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, {
  error: "schedule.from and schedule.to must be times of day such as 02:30",
});

function timeZone(field: string) {
  return z
    .string()
    .max(limits.timeZoneLengthMax)
    .regex(/^[A-Za-z][\w+/-]*$/, {
      error: `${field} must be the name of a time zone such as Europe/Berlin`,
    })
    .meta({ description: "IANA name.", example: "Europe/Berlin" });
}

export const MuteSchedule = z
  .object({
    weekdays: z
      .array(z.enum(calls.digestWeekdays))
      .min(1)
      .max(calls.digestWeekdays.length)
      .meta({ description: "The days on which it begins.", example: ["sunday"] }),
    from: Clock.meta({ example: "02:00" }),
    to: Clock.meta({ description: "The next day if it is not after `from`.", example: "05:00" }),
    time_zone: timeZone("schedule.time_zone"),
  })
  .meta({
    id: "MuteSchedule",
    description: "Weekly times by the clock of a time zone, with its summer time.",
  });
export type MuteSchedule = z.output<typeof MuteSchedule>;

export const AlertMute = z
  .object({
    id: z.uuid().meta({ example: "5b0e7c1a-94d2-4c3f-8a61-d27f90be3c15" }),
    service: ServiceName.nullable().meta({ description: "null: every service.", example: "checkout" }),
    type: ProfileType.nullable().meta({ description: "null: every profile type.", example: "cpu" }),
    tags: MuteTags.optional().meta({
      description: "Mutes alerts whose profiles carry all of these tags. Absent without tags.",
      example: { env: "staging" },
    }),
    reason: z.string().meta({ description: "May be empty.", example: "Load test of the new cluster" }),
    muted_at: Instant.meta({ description: "Creation time." }),
    starts_at: Instant.meta({ description: "A future time means a planned mute." }),
    until: MuteEnd.meta({ description: "null: until it is ended.", example: "2026-11-21T10:00:00.000Z" }),
    schedule: MuteSchedule.optional().meta({
      description: "A mute that recurs: it applies at these times only. Absent otherwise.",
    }),
    window: z
      .object({ from: Instant, to: Instant })
      .optional()
      .meta({
        description: "The current time of the schedule, or the next one. Absent without a schedule.",
        example: { from: "2026-11-22T01:00:00.000Z", to: "2026-11-22T04:00:00.000Z" },
      }),
  })
  .meta({ id: "AlertMute" });
export type AlertMute = z.output<typeof AlertMute>;

const Muted = z.object({
  muted: z
    .array(AlertMute)
    .meta({ description: "Current, planned and recurring mutes, earliest start first.", example: [] }),
});

const MuteProposal = z
  .object({
    service: ServiceName,
    type: ProfileType.meta({ example: "cpu" }),
    schedule: MuteSchedule,
    times: Count.meta({ description: "On so many days alerts opened and resolved then.", example: 3 }),
    alert_ids: z.array(z.uuid()).meta({
      description: "The alerts that opened then, open ones too.",
      example: ["5b0e7c1a-94d2-4c3f-8a61-d27f90be3c15"],
    }),
  })
  .meta({ id: "MuteProposal" });
export type MuteProposal = z.output<typeof MuteProposal>;

const endpoint = endpointIn("Alerts");

export const muteEndpoints = [
  endpoint(calls.listMutes, {
    summary: "Mutes in force, planned and recurring ones",
    reply: Muted,
  }),
  endpoint(calls.listMuteProposals, {
    summary: "Schedules for alerts that come back at the same time",
    description:
      "Of the last five weeks: alerts of one service and type that opened and resolved at the same time of at least two weeks, or of at least " +
      "three days within a week, 45 minutes more or less. Without those marked as expected, and of the newest 200 of a service and type. A proposal is " +
      "gone once a mute covers its alerts.",
    query: z.object({ time_zone: timeZone("time_zone").default("UTC") }),
    reply: z.object({ proposals: z.array(MuteProposal) }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.muteAlerts, {
    summary: "Mute alerts of a service, a profile type or tags, now or later",
    description:
      "Services are still evaluated, and their alerts stay in the list. Without `until`, a mute lasts until it is ended. A mute that " +
      "starts now replaces the current one of the same service, type, tags and schedule; one with `starts_at` is added. " +
      "With `schedule` it recurs. A mute with tags applies if at least half of the increase is in profiles with all of the tags, and the rest of the increase " +
      "would not open an alert.",
    body: z
      .object({
        service: ServiceName.nullable()
          .default(null)
          .meta({ description: "Absent: every service; then tags are required.", example: "checkout" }),
        type: ProfileType.nullable()
          .default(null)
          .meta({ description: "Absent: every profile type.", example: "cpu" }),
        tags: MuteTags.default({}).meta({ example: { env: "staging" } }),
        reason: z.string().max(limits.muteReasonLengthMax).default("").meta({ example: "Load test" }),
        starts_at: Instant.optional().meta({
          description: "A future time. Absent: now.",
          example: "2026-11-20T22:00:00.000Z",
        }),
        until: MuteEnd.optional().meta({
          description: "A future time after `starts_at`.",
          example: "2026-11-21T10:00:00.000Z",
        }),
        schedule: MuteSchedule.optional().meta({ description: "Absent: it does not recur." }),
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
      "Ends the current mute of exactly this service and type. Fails if only a wider mute or a schedule applies.",
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
