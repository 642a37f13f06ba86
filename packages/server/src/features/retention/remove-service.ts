import type { deleteService, ReplyOf } from "@flamekeep/contract";
import { z } from "zod";
import type { Context, UserActor } from "#context";
import { invalid, notFound } from "#failure";
import { query } from "#store/column/query.ts";
import { noteRemoval } from "./queries.ts";
import { refuseIfStopped, removeWhole } from "./remove-whole.ts";

/** Whatever a service sends is a profile, and profiles are what its removal ends with. */
const oneProfile = query({
  name: "retention.one-profile",
  sql: `SELECT profile_id AS profileId FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} LIMIT 1`,
  params: z.object({ orgId: z.uuid(), service: z.string() }),
  row: z.object({ profileId: z.string() }),
});

/** Runs an operation while nothing is stored; what it removed may then be sent again. The server stops once `stopped` is aborted. */
export type BetweenCommits = <T>(operation: (stopped: AbortSignal) => Promise<T>) => Promise<T>;

/** Everything of the service, in every table. Cut off, it is finished by keepFinishing. */
export async function removeService(
  ctx: Context,
  actor: UserActor,
  { service, confirm }: { readonly service: string; readonly confirm: string },
  between: BetweenCommits,
): Promise<ReplyOf<typeof deleteService>> {
  if (confirm !== service) throw invalid(`Field 'confirm' must be the service's name, ${service}`);
  const { orgId, userId } = actor;
  const [profile] = await ctx.columns.query(oneProfile, { orgId, service });
  if (profile === undefined) throw notFound("Service", service);
  const removed = await between(async (stopped) => {
    refuseIfStopped(stopped);
    // Noted first: where this ends halfway, what is sent again must not be taken for a repetition.
    await noteRemoval(ctx.rows, { orgId, service, removedBy: userId, at: ctx.now() });
    return removeWhole(ctx, { orgId, service }, stopped);
  });
  ctx.log.warn({ orgId, userId, service, removed }, "a service was deleted");
  return { service, profiles: removed.profiles ?? 0, http_requests: removed.http_requests ?? 0 };
}
