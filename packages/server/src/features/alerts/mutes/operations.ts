import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import { type AlertMute, type InputOf, limits, type ProfileType, type ReplyOf } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { invalid, notFound, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import { insertMute, listedMutes, type MuteScope, mutesAt, removeMute, type StoredMute } from "./queries.ts";

type Muted = ReplyOf<typeof calls.muteAlerts>;

export async function listMutes(ctx: Context, { orgId }: Pick<Actor, "orgId">): Promise<Muted> {
  return { muted: (await listedMutes(ctx.rows, orgId, ctx.now())).map(toMute) };
}

export const muteAlerts: Operation<typeof calls.muteAlerts> = async (ctx, { orgId, userId }, body) => {
  const now = ctx.now();
  const { service, type, tags, reason } = body;
  const { startsAt, until } = spanOf(body, now);
  await lockedTransaction(ctx.rows, orgId, async (rows) => {
    if (startsAt <= now) {
      const same = (await mutesAt(rows, orgId, now)).filter((mute) =>
        hasScope(mute, { service, type, tags }),
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
    });
  });
  ctx.log.info({ orgId, userId, service, type, startsAt, until }, "alerts muted");
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

function hasScope(mute: MuteScope, { service, type, tags }: MuteScope): boolean {
  const names = Object.keys(tags);
  return (
    mute.service === service &&
    mute.type === type &&
    Object.keys(mute.tags).length === names.length &&
    names.every((name) => mute.tags[name] === tags[name])
  );
}

/** Throws `unprocessable` if only a wider mute covers the series: other people rely on that one. */
export const unmuteAlerts: Operation<typeof calls.unmuteAlerts> = async (
  ctx,
  { orgId, userId },
  { service, type },
) => {
  const mutes = await mutesAt(ctx.rows, orgId, ctx.now());
  const own = mutes.filter((mute) => hasScope(mute, { service, type, tags: {} }));
  for (const { id } of own) await removeMute(ctx.rows, orgId, id);
  const wider = mutes.find(
    (mute) =>
      !own.includes(mute) &&
      (mute.service === null || mute.service === service) &&
      (mute.type === null || mute.type === type),
  );
  if (own.length === 0 && wider !== undefined) {
    throw unprocessable(
      `A wider mute covers these alerts (${scopeText(wider)}). End it under Settings, Alerts.`,
    );
  }
  ctx.log.info({ orgId, userId, service, type }, "alerts unmuted");
  return listMutes(ctx, { orgId });
};

function scopeText({ service, type, tags }: MuteScope): string {
  const parts = [service ?? "every service", type ?? "every type"];
  return [...parts, ...Object.entries(tags).map(([name, value]) => `${name}:${value}`)].join(", ");
}

export const endMute: Operation<typeof calls.endMute> = async (ctx, { orgId, userId }, { id }) => {
  if (!(await removeMute(ctx.rows, orgId, id))) throw notFound("Mute", id);
  ctx.log.info({ orgId, userId, muteId: id }, "mute ended");
  return listMutes(ctx, { orgId });
};

function toMute({ id, service, type, tags, reason, createdAt, startsAt, until }: StoredMute): AlertMute {
  return {
    id,
    service,
    type: type as ProfileType | null,
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    reason,
    muted_at: createdAt,
    starts_at: startsAt,
    until,
  };
}
