import * as calls from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import * as invitations from "#accounts/invitations/operations.ts";
import * as members from "#accounts/members/operations.ts";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { deleteOrganization } from "./delete-organization.ts";
import { moveSession } from "./move-session.ts";
import * as organizations from "./operations.ts";

/** Guesses of tokens, and searches in all organizations of a person, per minute and caller. */
const callsMax = { tokens: 30, searches: 120 };

export function registerOrganizations(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listOrganizations, ({ actor }) => organizations.listOrganizations(ctx, actor));
  serve(app, ctx, calls.switchOrganization, ({ actor, params }) => moveSession(ctx, actor, params.id));
  serve(
    app,
    ctx,
    calls.findOrganizationOf,
    ({ actor, params }) => organizations.findOrganizationOf(ctx, actor, params),
    { rate: perMinute(app, callsMax.searches) },
  );
  serve(app, ctx, calls.getOrganization, ({ actor }) => organizations.getOrganization(ctx, actor));
  serve(app, ctx, calls.renameOrganization, ({ actor, body }) =>
    organizations.renameOrganization(ctx, actor, body.name),
  );
  serve(app, ctx, calls.requireSecondFactor, ({ actor, body }) =>
    organizations.requireSecondFactor(ctx, actor, body.is_required),
  );
  serve(app, ctx, calls.deleteOrganization, ({ actor, body }) => deleteOrganization(ctx, actor, body));
  registerMembers(app, ctx);
  registerInvitations(app, ctx);
}

function registerMembers(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.listMembers, ({ actor }) => members.listMembers(ctx, actor));
  serve(app, ctx, calls.changeMemberRole, ({ actor, params, body }) =>
    members.changeMemberRole(ctx, actor, { id: params.id, role: body.role }),
  );
  serve(app, ctx, calls.removeMember, ({ actor, params, query }) =>
    members.removeMember(ctx, actor, { id: params.id, revokesKeys: query.revoke_api_keys }),
  );
  serve(app, ctx, calls.transferOrganization, ({ actor, params }) =>
    members.transferOrganization(ctx, actor, params.id),
  );
  serve(app, ctx, calls.leaveOrganization, ({ actor }) => members.leaveOrganization(ctx, actor));
}

function registerInvitations(app: FastifyInstance, ctx: Context): void {
  const rate = perMinute(app, callsMax.tokens);
  serve(app, ctx, calls.listInvitations, ({ actor }) => invitations.listInvitations(ctx, actor));
  serve(app, ctx, calls.createInvitation, ({ actor, body, request }) =>
    invitations.createInvitation(ctx, actor, { ...body, address: request.ip }),
  );
  serve(app, ctx, calls.revokeInvitation, ({ actor, params }) =>
    invitations.revokeInvitation(ctx, actor, params.id),
  );
  serve(app, ctx, calls.readInvitation, ({ body }) => invitations.readInvitation(ctx, body), { rate });
  serve(
    app,
    ctx,
    calls.acceptInvitation,
    ({ actor, body }) => invitations.acceptInvitation(ctx, actor, body),
    {
      rate,
    },
  );
}
