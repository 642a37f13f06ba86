import type * as calls from "@flamekeep/contract";
import type { Incident } from "@flamekeep/contract";
import { splitPage, toPage } from "#alerts/row/paging.ts";
import { shownAlerts } from "#alerts/store/handling.ts";
import { commentsOf, incidentPage, involvementOf, signalsOf } from "#alerts/store/incidents.ts";
import type { Context } from "#context";
import { notFound } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { toComment, toIncident } from "./present.ts";

export const listIncidents: Operation<typeof calls.listIncidents> = async (ctx, { orgId }, query) => {
  const found = await incidentPage(ctx.rows, orgId, toPage(query, ctx.now()));
  const { page, next_cursor } = splitPage(found, query.limit);
  const ids = page.map(({ id }) => id);
  return { incidents: await withSignals(ctx, orgId, ids), next_cursor };
};

export const getIncident: Operation<typeof calls.getIncident> = async (ctx, actor, { id }) => {
  const [incident, comments] = await Promise.all([
    findIncident(ctx, actor.orgId, id),
    commentsOf(ctx.rows, actor.orgId, id),
  ]);
  const reader = actor.kind === "user" ? actor : undefined;
  return { incident, comments: comments.map((row) => toComment(row, reader)) };
};

/** Throws `not_found` unless the organization has it. */
export async function findIncident(ctx: Context, orgId: string, id: string): Promise<Incident> {
  const [incident] = await withSignals(ctx, orgId, [id]);
  if (incident === undefined) throw notFound("Incident", id);
  return incident;
}

/** In the order of the ids, without those that do not exist. */
async function withSignals(ctx: Context, orgId: string, ids: readonly string[]): Promise<Incident[]> {
  if (ids.length === 0) return [];
  const [rows, involvement] = await Promise.all([
    signalsOf(ctx.rows, orgId, ids),
    involvementOf(ctx.rows, orgId, ids),
  ]);
  const byIncident = Map.groupBy(await shownAlerts(ctx, orgId, rows), ({ incident_id: id }) => id);
  return ids.flatMap((id) => {
    const signals = byIncident.get(id);
    return signals === undefined ? [] : [toIncident(id, signals, involvement(id))];
  });
}
