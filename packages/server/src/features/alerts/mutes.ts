import type { muteAlerts, ProfileType, ReplyOf } from "@flamekeep/contract";
import type { Context, UserActor } from "#context";
import { mutedSeries } from "./alert-queries.ts";

interface Series {
  readonly service: string;
  readonly type: ProfileType;
}

type Reply = ReplyOf<typeof muteAlerts>;

export async function mute(ctx: Context, actor: UserActor, { service, type }: Series): Promise<Reply> {
  const { orgId, userId } = actor;
  await ctx.rows
    .insertInto("alertMutes")
    .values({ orgId, service, type, mutedBy: userId, createdAt: ctx.now().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  ctx.log.info({ orgId, userId, service, type }, "alerts muted");
  return muted(ctx, orgId);
}

export async function unmute(ctx: Context, actor: UserActor, { service, type }: Series): Promise<Reply> {
  const { orgId, userId } = actor;
  await ctx.rows
    .deleteFrom("alertMutes")
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("type", "=", type)
    .execute();
  ctx.log.info({ orgId, userId, service, type }, "alerts unmuted");
  return muted(ctx, orgId);
}

async function muted(ctx: Context, orgId: string): Promise<Reply> {
  const rows = await mutedSeries(ctx.rows, orgId);
  return { muted: rows.map(({ service, type }) => ({ service, type: type as ProfileType })) };
}
