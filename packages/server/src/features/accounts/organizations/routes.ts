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
  const searches = { rate: perMinute(app, callsMax.searches) };
  serve(app, ctx, calls.listOrganizations, organizations.listOrganizations);
  serve(app, ctx, calls.switchOrganization, moveSession);
  serve(app, ctx, calls.findOrganizationOf, organizations.findOrganizationOf, searches);
  serve(app, ctx, calls.getOrganization, organizations.getOrganization);
  serve(app, ctx, calls.renameOrganization, organizations.renameOrganization);
  serve(app, ctx, calls.requireSecondFactor, organizations.requireSecondFactor);
  serve(app, ctx, calls.deleteOrganization, deleteOrganization);

  serve(app, ctx, calls.listMembers, members.listMembers);
  serve(app, ctx, calls.changeMemberRole, members.changeMemberRole);
  serve(app, ctx, calls.removeMember, members.removeMember);
  serve(app, ctx, calls.transferOrganization, members.transferOrganization);
  serve(app, ctx, calls.leaveOrganization, members.leaveOrganization);

  const tokens = { rate: perMinute(app, callsMax.tokens) };
  serve(app, ctx, calls.listInvitations, invitations.listInvitations);
  serve(app, ctx, calls.createInvitation, invitations.createInvitation);
  serve(app, ctx, calls.revokeInvitation, invitations.revokeInvitation);
  serve(app, ctx, calls.readInvitation, invitations.readInvitation, tokens);
  serve(app, ctx, calls.acceptInvitation, invitations.acceptInvitation, tokens);
}
