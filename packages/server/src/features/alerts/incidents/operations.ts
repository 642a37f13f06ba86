import type * as calls from "@flamekeep/contract";
import type { Incident, InputOf, ReplyOf } from "@flamekeep/contract";
import { handlingOf } from "#alerts/handling/queries.ts";
import { mutesAt } from "#alerts/mutes/queries.ts";
import { splitPage, toPage } from "#alerts/paging.ts";
import { toAlert } from "#alerts/present.ts";
import type { Actor, Context } from "#context";
import { notFound } from "#failure";
import { commentsOf, involvementOf } from "./actions/queries.ts";
import { toComment, toIncident } from "./present.ts";
import { incidentPage, signalsOf } from "./queries.ts";

export async function listIncidents(
  ctx: Context,
  { orgId }: Actor,
  query: InputOf<typeof calls.listIncidents>,
): Promise<ReplyOf<typeof calls.listIncidents>> {
  const found = await incidentPage(ctx.rows, orgId, toPage(query, ctx.now()));
  const { page, next_cursor } = splitPage(found, query.limit);
  const ids = page.map(({ id }) => id);
  return { incidents: await withSignals(ctx, orgId, ids), next_cursor };
}

export async function getIncident(
  ctx: Context,
  actor: Actor,
  { id }: InputOf<typeof calls.getIncident>,
): Promise<ReplyOf<typeof calls.getIncident>> {
  const [incident, comments] = await Promise.all([
    findIncident(ctx, actor.orgId, id),
    commentsOf(ctx.rows, actor.orgId, id),
  ]);
  const reader = actor.kind === "user" ? actor : undefined;
  return { incident, comments: comments.map((row) => toComment(row, reader)) };
}

/** Throws `not_found` unless the organization has it. */
export async function findIncident(ctx: Context, orgId: string, id: string): Promise<Incident> {
  const [incident] = await withSignals(ctx, orgId, [id]);
  if (incident === undefined) throw notFound("Incident", id);
  return incident;
}

/** In the order of the ids, without those that do not exist. */
async function withSignals(ctx: Context, orgId: string, ids: readonly string[]): Promise<Incident[]> {
  if (ids.length === 0) return [];
  const [rows, muted, involvement] = await Promise.all([
    signalsOf(ctx.rows, orgId, ids),
    mutesAt(ctx.rows, orgId, ctx.now()),
    involvementOf(ctx.rows, orgId, ids),
  ]);
  const handling = await handlingOf(
    ctx.rows,
    orgId,
    rows.map(({ id }) => id),
  );
  const byIncident = Map.groupBy(rows, ({ incidentId }) => incidentId);
  return ids.flatMap((id) => {
    const signals = byIncident.get(id)?.map((row) => ({ ...toAlert(row, muted), ...handling.get(row.id) }));
    return signals === undefined ? [] : [toIncident(id, signals, involvement(id))];
  });
}
