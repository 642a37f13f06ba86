import { z } from "zod";
import { isEmail } from "#accounts/calls.ts";
import { required } from "#accounts/fields.ts";
import { roles } from "#base/call.ts";
import { endpointIn, Role } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { hiddenInLineRule, isReadableLine } from "#base/readable.ts";
import { Count } from "#base/values.ts";
import * as calls from "./calls.ts";
import { MovedSession } from "./organization.ts";

const UserId = z.uuid().meta({ example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" });

const params = z.object({ id: z.string().meta(UserId.meta() ?? {}) });

export const Member = z
  .object({
    id: UserId,
    name: z.string().meta({ example: "Ada Lovelace" }),
    email: z.string().meta({ example: "ada@example.com" }),
    role: Role,
    is_active: z.boolean().meta({ description: "False: the operator disabled the account.", example: true }),
    joined_at: Instant,
    last_login_at: Instant.nullable().meta({ example: "2026-11-20T08:12:40.000Z" }),
    is_you: z.boolean().meta({ example: true }),
    active_api_keys: Count.meta({
      description: "Active API keys of this organization that they created.",
      example: 1,
    }),
  })
  .meta({ id: "Member" });
export type Member = z.output<typeof Member>;

const endpoint = endpointIn("Organizations");

export const memberEndpoints = [
  endpoint(calls.listMembers, {
    summary: "The members of the organization, admins first",
    isOpenToDemo: false,
    roles,
    reply: z.object({ members: z.array(Member) }),
  }),
  endpoint(calls.changeMemberRole, {
    summary: "Change the role of a member",
    description: "Takes effect immediately. The last admin cannot be demoted.",
    roles: ["admin"],
    params,
    body: z.object({ role: Role }),
    reply: z.object({ member: Member }),
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.removeMember, {
    summary: "Remove a member from the organization",
    description:
      "Their sessions in it end immediately. Their API keys keep working unless you revoke them too.",
    roles: ["admin"],
    params,
    query: z.object({
      revoke_api_keys: z
        .stringbool()
        .default(false)
        .meta({ description: "Also revokes their API keys.", example: false }),
    }),
    reply: z.object({
      member: Member,
      revoked_api_keys: Count.meta({ description: "Number of revoked API keys.", example: 0 }),
    }),
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.transferOrganization, {
    summary: "Transfer the organization to a member",
    description: "The member becomes an admin and you become a member, in one step.",
    roles: ["admin"],
    params,
    reply: z.object({ member: Member }),
    failures: ["not_found", "conflict"],
  }),
] as const;

const linkRequired = "Invalid or missing invitation link";

const token = required(linkRequired)
  .min(1, { error: linkRequired })
  .meta({ example: "q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM" });

const InvitationId = z.uuid().meta({ example: "7d1f2c40-8e6b-4b0a-9d53-2f64a1c0b7e8" });

const InvitedEmail = z.string().nullable().meta({
  description: "Only an account with this address may accept it; null: anyone with the link.",
  example: "grace@example.com",
});

export const Invitation = z
  .object({
    id: InvitationId,
    email: InvitedEmail,
    role: Role,
    invited_by: z
      .string()
      .nullable()
      .meta({ description: "Null after that account was removed.", example: "Ada Lovelace" }),
    created_at: Instant,
    expires_at: Instant,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.output<typeof Invitation>;

export const invitationEndpoints = [
  endpoint(calls.listInvitations, {
    summary: "Open invitations, newest first",
    roles: ["admin"],
    isOpenToDemo: false,
    reply: z.object({ invitations: z.array(Invitation) }),
  }),
  endpoint(calls.createInvitation, {
    summary: "Invite somebody to the organization",
    description:
      "Single-use link. With an address, it is also sent there, and only an account with that address can accept it.",
    roles: ["admin"],
    body: z.object({
      email: z
        .string()
        .trim()
        .refine(isEmail, { error: "Please enter a valid email address" })
        .nullable()
        .default(null)
        .meta({ example: "grace@example.com" }),
      role: Role.default("member"),
      expires_in_days: z
        .int()
        .min(1)
        .max(limits.invitationDaysMax)
        .default(limits.invitationDays)
        .meta({ example: 7 }),
      return_to: z
        .string()
        .max(limits.viewPathLengthMax, {
          error: `return_to must have at most ${limits.viewPathLengthMax} characters`,
        })
        .regex(/^\/(?![/\\])\S*$/, {
          error: "return_to must be the path of a page of this server, such as /alerts",
        })
        .refine(isReadableLine, { error: `return_to ${hiddenInLineRule}` })
        .nullable()
        .default(null)
        .meta({
          description: "The path of the page that the link leads to after joining; null: the dashboard.",
          example: "/profiles/service/checkout/cpu?range=1h",
        }),
    }),
    reply: z.object({
      invitation: Invitation,
      url: z.string().meta({
        description: "The link. Only this reply contains it.",
        example: "https://flamekeep.example.com/invite/q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM",
      }),
      delivery: z.enum(["link only", "sending", "outbox"]).meta({
        description: "`outbox`: email is not set up, so the operator has to forward it.",
        example: "sending",
      }),
    }),
    status: 201,
    failures: ["quota_exceeded", "rate_limited"],
  }),
  endpoint(calls.revokeInvitation, {
    summary: "Revoke an invitation",
    roles: ["admin"],
    params: z.object({ id: z.string().meta(InvitationId.meta() ?? {}) }),
    reply: z.object({ invitation: Invitation }),
    failures: ["not_found"],
  }),
  endpoint(calls.readInvitation, {
    summary: "Details of an invitation link",
    description: "The same 400 for a token that never existed, was used, was revoked or expired.",
    body: z.object({ token }),
    reply: z.object({
      organization: z.string().meta({ example: "Acme" }),
      role: Role,
      email: InvitedEmail,
      expires_at: Instant,
    }),
    failures: ["rate_limited"],
  }),
  endpoint(calls.acceptInvitation, {
    summary: "Accept an invitation with your account",
    description:
      "This session moves to the organization. Without a session, send the token as `invitation` of a sign-in or a registration.",
    isOpenWithoutSecondFactor: true,
    roles,
    body: z.object({ token }),
    reply: MovedSession,
    failures: ["conflict", "rate_limited"],
  }),
] as const;
