import type { deleteService, ReplyOf } from "@flamekeep/contract";
import { z } from "zod";
import type { Actor, Context } from "#context";
import { invalid, notFound } from "#failure";
import { requireRole } from "#http/actor.ts";
import { question } from "#store/column/question.ts";
import { Day } from "#store/column/values.ts";
import { noteRemoval, removeServiceRows } from "./queries.ts";

/** Whatever a service sends is a profile, and profiles are what its removal ends with. */
const oneProfile = question({
  name: "retention.one-profile",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} LIMIT 1`,
  params: z.object({ orgId: z.uuid(), service: z.string() }),
  row: z.object({ profileId: z.string() }),
});

const Service = z.object({ orgId: z.uuid(), service: z.string() });

const daysOfService = question({
  name: "retention.days-of-service",
  sql: `SELECT DISTINCT toDate(started_at) AS day FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} ORDER BY day`,
  params: Service,
  row: z.object({ day: Day }),
});

const profilesOfDay = question({
  name: "retention.profiles-of-day",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND toDate(started_at) = {day:Date}`,
  params: Service.extend({ day: Day }),
  row: z.object({ profileId: z.string() }),
});

/** Runs an operation while nothing is stored; what it removed may then be sent again. */
export type BetweenCommits = <T>(operation: () => Promise<T>) => Promise<T>;

/** Everything of the service, in every table. Interrupted, it is finished by the next call. */
export async function removeService(
  ctx: Context,
  actor: Actor,
  { service, confirm }: { readonly service: string; readonly confirm: string },
  between: BetweenCommits,
): Promise<ReplyOf<typeof deleteService>> {
  requireRole(actor, "admin");
  if (confirm !== service) throw invalid(`Field 'confirm' must be the service's name, ${service}`);
  const { orgId, userId } = actor;
  const [profile] = await ctx.columns.ask(oneProfile, { orgId, service });
  if (profile === undefined) throw notFound("Service", service);
  const removed = await between(async () => {
    // Noted first: where this ends halfway, what is sent again must not be taken for a repetition.
    await noteRemoval(ctx.rows, { orgId, name: service, removedBy: userId, at: ctx.now() });
    await removePayloads(ctx, { orgId, service });
    const rows = await ctx.columns.removeService({ orgId, service });
    await removeServiceRows(ctx.rows, { orgId, service });
    return rows;
  });
  ctx.log.warn({ orgId, userId, service, removed }, "a service was deleted");
  return { service, profiles: removed.profiles ?? 0, http_requests: removed.http_requests ?? 0 };
}

/** First, because they know only their profiles: where this ends halfway, the rows that are left name what is left. */
async function removePayloads(ctx: Context, service: z.input<typeof Service>): Promise<void> {
  for (const { day } of await ctx.columns.ask(daysOfService, service)) {
    const profiles = await ctx.columns.ask(profilesOfDay, { ...service, day });
    await ctx.payloads.remove(
      service.orgId,
      profiles.map(({ profileId }) => profileId),
    );
  }
}
