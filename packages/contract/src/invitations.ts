import { z } from "zod";
import { isEmail } from "./accounts.ts";
import { endpoint, Role, roles } from "./endpoint.ts";
import { required } from "./in-order.ts";
import { limits } from "./limits.ts";
import { MovedSession } from "./organizations.ts";
import { Instant } from "./time.ts";

const area = "Organizations";
const path = "/api/v1/protected/organization/invitations";
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

export const listInvitations = endpoint({
  method: "GET",
  path,
  area,
  summary: "Invitations that can still be accepted, newest first",
  auth: "session",
  roles: ["admin"],
  isOpenToDemo: false,
  reply: z.object({ invitations: z.array(Invitation) }),
});

export const createInvitation = endpoint({
  method: "POST",
  path,
  area,
  summary: "Invite somebody to the organization",
  description:
    "The link works once. With an address, it is also sent there, and only an account with that address may accept it.",
  auth: "session",
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
  }),
  reply: z.object({
    invitation: Invitation,
    url: z.string().meta({
      description: "The link. Only this reply contains it.",
      example: "https://flamekeep.example.com/invite/q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM",
    }),
    delivery: z.enum(["link only", "sending", "outbox"]).meta({
      description: "`outbox`: the server sends no mail, so its operator would have to hand it over.",
      example: "sending",
    }),
  }),
  status: 201,
  failures: ["quota_exceeded", "rate_limited"],
});

export const revokeInvitation = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  area,
  summary: "Revoke an invitation",
  auth: "session",
  roles: ["admin"],
  params: z.object({ id: z.string().meta(InvitationId.meta() ?? {}) }),
  reply: z.object({ invitation: Invitation }),
  failures: ["not_found"],
});

export const readInvitation = endpoint({
  method: "POST",
  path: "/auth/invitation",
  area,
  summary: "What an invitation link is for",
  description: "The same 400 for a token that never existed, was used, was revoked or expired.",
  auth: "none",
  body: z.object({ token }),
  reply: z.object({
    organization: z.string().meta({ example: "Acme" }),
    role: Role,
    email: InvitedEmail,
    expires_at: Instant,
  }),
  failures: ["rate_limited"],
});

export const acceptInvitation = endpoint({
  method: "POST",
  path: "/api/v1/protected/user/invitations",
  area,
  summary: "Accept an invitation with your account",
  description:
    "This session moves to the organization. Without a session, send the token as `invitation` of a sign-in or a registration.",
  auth: "session",
  isOpenWithoutSecondFactor: true,
  roles,
  body: z.object({ token }),
  reply: MovedSession,
  failures: ["conflict", "rate_limited"],
});
