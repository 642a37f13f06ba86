import { randomUUID } from "node:crypto";
import * as calls from "@flamekeep/contract";
import { displayTypeOf, type InputOf, limits, type SharedLink, type SharedSide } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { SharedGraph } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import { readLink, recordOpening } from "#auth/shared-links.ts";
import { createOpaqueToken } from "#auth/tokens/opaque-token.ts";
import type { Context, UserActor } from "#context";
import { forbidden, invalid, notFound, quotaExceeded, unprocessable } from "#failure";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import {
  allowsPublicLinks,
  findSharedLink,
  insertSharedLink,
  removeSharedLink,
  type SharedLinkRow,
  sharedLinksOf,
  storeAllowance,
} from "./queries.ts";

/** Calls per minute and address without a session. */
const callsMax = 60;

export function registerSharing(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listSharedLinks, listSharedLinks);
  serve(app, ctx, calls.createSharedLink, createSharedLink);
  serve(app, ctx, calls.revokeSharedLink, revokeSharedLink);
  serve(app, ctx, calls.allowSharedLinks, allowSharedLinks);
  serve(app, ctx, calls.readSharedView, readSharedView, { rate: perMinute(app, "shared views", callsMax) });
}

const listSharedLinks: Operation<typeof calls.listSharedLinks> = async (ctx, actor) => {
  const [isAllowed, rows] = await Promise.all([
    allowsPublicLinks(ctx.rows, actor.orgId),
    sharedLinksOf(ctx.rows, actor.orgId, ctx.now()),
  ]);
  return { is_allowed: isAllowed, shared_links: rows.map((row) => presentSharedLink(row, actor)) };
};

async function allowSharedLinks(
  ctx: Context,
  actor: UserActor,
  { is_allowed: isAllowed }: InputOf<typeof calls.allowSharedLinks>,
) {
  const { orgId, userId } = actor;
  const isChanged = await storeAllowance(ctx.rows, orgId, isAllowed);
  if (isChanged) ctx.log.info({ orgId, userId, isAllowed }, "public links switched");
  return replyTo(isChanged, { is_allowed: isAllowed });
}

/** A range may end with the bucket of a chart or with the day. */
const futureMsMax = dayMs;

/** The token is only in this reply: the store has its hash. */
const createSharedLink: Operation<typeof calls.createSharedLink> = async (
  ctx,
  actor,
  { graph: requested, look, expires_in_days },
) => {
  const { orgId, userId } = actor;
  if (!(await allowsPublicLinks(ctx.rows, orgId))) throw linksForbidden();
  const now = ctx.now();
  const graph = endedBy(requested, now);
  const subject = await subjectOf(ctx, orgId, graph);
  const id = randomUUID();
  const { text, hash: tokenHash } = createOpaqueToken();
  const link = {
    id,
    orgId,
    tokenHash,
    ...subject,
    graph: JSON.stringify(graph),
    look: JSON.stringify(look),
    createdBy: userId,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + expires_in_days * dayMs).toISOString(),
    lastOpenedAt: null,
  };
  const outcome = await insertSharedLink(ctx.rows, link, limits.sharedLinksMax);
  if (outcome === "forbidden") throw linksForbidden();
  if (outcome === "too many") {
    throw quotaExceeded(
      `Your organization has reached its limit of ${limits.sharedLinksMax} public links. Revoke one first.`,
    );
  }
  const row = await findSharedLink(ctx.rows, orgId, { id, now });
  if (row === undefined) throw notFound("Public link", id);
  ctx.log.info({ orgId, userId, linkId: id, kind: graph.kind }, "public link created");
  return { shared_link: presentSharedLink(row, actor), url: `${ctx.config.publicUrl}/shared/${text}` };
};

const linksForbidden = () =>
  forbidden(
    "Your organization does not allow public links. An admin can allow them in Settings, Organization.",
  );

/** With ranges that end now: a link must not show profiles of a later time, which nobody had seen when it was created. */
function endedBy(graph: SharedGraph, now: Date): SharedGraph {
  const latestMs = now.getTime();
  const ended = <R extends { readonly to: string }>(range: R): R => {
    const toMs = Date.parse(range.to);
    if (toMs > now.getTime() + futureMsMax) throw invalid("Field 'to' must not be in the future");
    return toMs > latestMs ? { ...range, to: new Date(latestMs).toISOString() } : range;
  };
  if (graph.kind === "profile") return graph;
  if (graph.kind === "range") return ended(graph);
  const side = (of: SharedSide) => (of.profile_id === null ? ended(of) : of);
  return { ...graph, before: side(graph.before), after: side(graph.after) };
}

interface Subject {
  readonly service: string;
  readonly type: string;
  readonly fromAt: string;
  readonly toAt: string;
}

/** Service, type and time of a graph. Throws `not_found` for a profile of another organization. */
async function subjectOf(ctx: Context, orgId: string, graph: SharedGraph): Promise<Subject> {
  if (graph.kind === "profile") return profileSubject(ctx, orgId, graph.profile_id);
  if (graph.kind === "range") return rangeSubject(graph.type, graph);
  const [, after] = await Promise.all(
    [graph.before, graph.after].map((side) =>
      side.profile_id === null ? rangeSubject(graph.type, side) : profileSubject(ctx, orgId, side.profile_id),
    ),
  );
  return after!;
}

async function profileSubject(ctx: Context, orgId: string, profileId: string): Promise<Subject> {
  const profile = await ctx.profiles.read(orgId, profileId);
  if (profile.type === "metrics") throw unprocessable("A batch of HTTP metrics has no flame graph to share");
  const endMs = profile.started_at.getTime() + Number(profile.duration_ns) / 1e6;
  return {
    service: profile.service,
    type: displayTypeOf(profile.type, profile.sample_types),
    fromAt: profile.started_at.toISOString(),
    toAt: new Date(endMs).toISOString(),
  };
}

function rangeSubject(
  type: string,
  { service, from, to }: { readonly service: string; readonly from: string; readonly to: string },
): Subject {
  if (Date.parse(from) >= Date.parse(to)) throw invalid("Field 'from' must be before 'to'");
  return { service, type, fromAt: new Date(from).toISOString(), toAt: new Date(to).toISOString() };
}

const revokeSharedLink: Operation<typeof calls.revokeSharedLink> = async (ctx, actor, { id }) => {
  const { orgId, userId } = actor;
  const row = await findSharedLink(ctx.rows, orgId, { id, now: ctx.now() });
  if (row === undefined) throw notFound("Public link", id);
  const link = presentSharedLink(row, actor);
  if (!link.is_revocable) throw forbidden("Only an admin or the author of a public link may revoke it.");
  await removeSharedLink(ctx.rows, orgId, id);
  ctx.log.info({ orgId, userId, linkId: id }, "public link revoked");
  return { shared_link: link };
};

/** For the page of the link, which has no session. */
const readSharedView: Operation<typeof calls.readSharedView> = async (ctx, _actor, { token }) => {
  const link = await readLink(ctx, token);
  await recordOpening(ctx, link);
  const { graph, service, file, type, fromAt, toAt, look, expiresAt } = link;
  return { graph, service, file, type, from: fromAt, to: toAt, look, expires_at: expiresAt };
};

function presentSharedLink(row: SharedLinkRow, { role, userId }: UserActor): SharedLink {
  return {
    id: row.id,
    kind: SharedGraph.parse(JSON.parse(row.graph)).kind,
    service: row.service,
    type: row.type,
    created_by: `${row.firstName} ${row.lastName}`,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_opened_at: row.lastOpenedAt,
    is_revocable: role === "admin" || row.createdBy === userId,
  };
}
