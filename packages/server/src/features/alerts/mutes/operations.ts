import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type * as calls from "@flamekeep/contract";
import {
  type AlertMute,
  digestWeekdays,
  type InputOf,
  limits,
  type MuteSchedule,
  type ProfileType,
  type ReplyOf,
  scheduleText,
} from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Actor, Context, UserActor } from "#context";
import { invalid, notFound, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { isoRange } from "#http/query/time-range.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { type PastAlert, proposalsOf, proposedWeeks } from "./proposals.ts";
import {
  alertTimes,
  insertMute,
  listedMutes,
  type MuteScope,
  mutesAt,
  removeMute,
  type StoredMute,
} from "./queries.ts";
import { isInWindow, isTimeZone, windowAt } from "./schedule.ts";

type Muted = ReplyOf<typeof calls.muteAlerts>;

export async function listMutes(ctx: Context, { orgId }: Pick<Actor, "orgId">): Promise<Muted> {
  const now = ctx.now();
  return { muted: (await listedMutes(ctx.rows, orgId, now)).map((mute) => toMute(mute, now)) };
}

/** Computed from the stored alerts at each call. Alerts that a mute covers from now on need no proposal. */
export const listMuteProposals: Operation<typeof calls.listMuteProposals> = async (
  ctx,
  { orgId },
  { time_zone: zone },
) => {
  if (!isTimeZone(zone)) throw unknownZone("time_zone");
  const now = ctx.now();
  const since = new Date(now.getTime() - 7 * proposedWeeks * dayMs);
  const [alerts, mutes] = await Promise.all([
    alertTimes(ctx.rows, orgId, since),
    listedMutes(ctx.rows, orgId, now),
  ]);
  const proposals = proposalsOf(
    alerts.filter((alert) => !mutes.some((mute) => isCovered(alert, mute))),
    zone,
  );
  return {
    proposals: proposals.map(({ type, alertIds, ...proposal }) => ({
      ...proposal,
      type: type as ProfileType,
      alert_ids: [...alertIds],
    })),
  };
};

/** Whether the mute would have silenced the alert, and has no end. */
function isCovered(alert: PastAlert, mute: StoredMute): boolean {
  const { service, type, tags, schedule, until } = mute;
  return (
    until === null &&
    Object.keys(tags).length === 0 &&
    (service === null || service === alert.service) &&
    (type === null || type === alert.type) &&
    (schedule === null || isInWindow(schedule, alert.openedMs))
  );
}

export const muteAlerts: Operation<typeof calls.muteAlerts> = async (ctx, { orgId, userId }, body) => {
  const now = ctx.now();
  const { service, type, tags, reason } = body;
  const { startsAt, until } = spanOf(body, now);
  const schedule = body.schedule === undefined ? null : checked(body.schedule);
  await lockedTransaction(ctx.rows, orgId, async (rows) => {
    if (startsAt <= now) {
      const same = (await listedMutes(rows, orgId, now)).filter(
        (mute) =>
          mute.startsAt <= now.toISOString() &&
          hasScope(mute, { service, type, tags }) &&
          isDeepStrictEqual(mute.schedule, schedule),
      );
      for (const { id } of same) await removeMute(rows, orgId, id);
    }
    if ((await listedMutes(rows, orgId, now)).length >= limits.mutesMax) {
      throw unprocessable(
        `Your organization has reached its limit of ${limits.mutesMax} mutes. End one first.`,
      );
    }
    await insertMute(rows, {
      id: randomUUID(),
      orgId,
      service,
      type,
      tags: JSON.stringify(tags),
      reason,
      mutedBy: userId,
      createdAt: now.toISOString(),
      startsAt: startsAt.toISOString(),
      until: until?.toISOString() ?? null,
      schedule: schedule && JSON.stringify(schedule),
    });
  });
  ctx.log.info({ orgId, userId, service, type, startsAt, until, schedule }, "alerts muted");
  await recordMuted(ctx, { orgId, userId }, "alerts.muted", { service, type, tags, schedule });
  return listMutes(ctx, { orgId });
};

/** Throws `invalid` unless the mute begins before it ends, in a time to come. */
function spanOf(
  { starts_at, until }: Pick<InputOf<typeof calls.muteAlerts>, "starts_at" | "until">,
  now: Date,
): { readonly startsAt: Date; readonly until: Date | null } {
  const startsAt = starts_at === undefined ? now : new Date(starts_at);
  const end = until === undefined || until === null ? null : new Date(until);
  if (startsAt < now) throw invalid("Field 'starts_at' must be in the future");
  if (end !== null && end <= now) throw invalid("Field 'until' must be in the future");
  if (end !== null && end <= startsAt) throw invalid("Field 'until' must be after 'starts_at'");
  return { startsAt, until: end };
}

/** The weekdays in their order and without repetition, so that equal schedules are found. */
function checked(schedule: MuteSchedule): MuteSchedule {
  if (!isTimeZone(schedule.time_zone)) throw unknownZone("schedule.time_zone");
  const weekdays = digestWeekdays.filter((day) => schedule.weekdays.includes(day));
  return { ...schedule, weekdays };
}

function unknownZone(field: string) {
  return invalid(`Field '${field}' must be the name of a time zone such as Europe/Berlin`);
}

function hasScope(mute: MuteScope, { service, type, tags }: MuteScope): boolean {
  const names = Object.keys(tags);
  return (
    mute.service === service &&
    mute.type === type &&
    Object.keys(mute.tags).length === names.length &&
    names.every((name) => mute.tags[name] === tags[name])
  );
}

/** Throws `unprocessable` if only a wider mute or a schedule covers the series: other people rely on that one. */
export const unmuteAlerts: Operation<typeof calls.unmuteAlerts> = async (
  ctx,
  { orgId, userId },
  { service, type },
) => {
  const mutes = await mutesAt(ctx.rows, orgId, ctx.now());
  const own = mutes.filter((mute) => mute.schedule === null && hasScope(mute, { service, type, tags: {} }));
  for (const { id } of own) await removeMute(ctx.rows, orgId, id);
  const wider = mutes.find(
    (mute) =>
      !own.includes(mute) &&
      (mute.service === null || mute.service === service) &&
      (mute.type === null || mute.type === type),
  );
  if (own.length === 0 && wider !== undefined) {
    throw unprocessable(
      `${wider.schedule === null ? "A wider mute" : "A schedule"} covers these alerts (${muteText(wider)}). End it under Settings, Alerts.`,
    );
  }
  ctx.log.info({ orgId, userId, service, type }, "alerts unmuted");
  for (const mute of own) await recordMuted(ctx, { orgId, userId }, "alerts.unmuted", mute);
  return listMutes(ctx, { orgId });
};

/** Here, because a call that ends a mute does not say which one. */
function recordMuted(
  ctx: Context,
  { orgId, userId }: Pick<UserActor, "orgId" | "userId">,
  event: "alerts.muted" | "alerts.unmuted",
  mute: MuteTimes,
): Promise<void> {
  return ctx.audit.record(orgId, { event, actor: { kind: "user", id: userId }, target: muteText(mute) });
}

type MuteTimes = MuteScope & Pick<StoredMute, "schedule">;

/** `checkout, cpu, every Sunday 02:00 to 05:00 Europe/Berlin` */
function muteText({ service, type, tags, schedule }: MuteTimes): string {
  const parts = [service ?? "every service", type ?? "every type"];
  const named = Object.entries(tags).map(([name, value]) => `${name}:${value}`);
  const times = schedule === null ? [] : [`${scheduleText(schedule)} ${schedule.time_zone}`];
  return [...parts, ...named, ...times].join(", ");
}

export const endMute: Operation<typeof calls.endMute> = async (ctx, { orgId, userId }, { id }) => {
  const ended = await removeMute(ctx.rows, orgId, id);
  if (ended === undefined) throw notFound("Mute", id);
  ctx.log.info({ orgId, userId, muteId: id }, "mute ended");
  await recordMuted(ctx, { orgId, userId }, "alerts.unmuted", ended);
  return listMutes(ctx, { orgId });
};

function toMute(
  { id, service, type, tags, reason, createdAt, startsAt, until, schedule }: StoredMute,
  now: Date,
): AlertMute {
  const atMs = Math.max(now.getTime(), Date.parse(startsAt));
  return {
    id,
    service,
    type: type as ProfileType | null,
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    reason,
    muted_at: createdAt,
    starts_at: startsAt,
    until,
    ...(schedule && { schedule, window: isoRange(windowAt(schedule, atMs)) }),
  };
}
