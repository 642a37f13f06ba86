import { z } from "zod";
import { roles } from "#base/call.ts";
import { endpointIn, Role } from "#base/endpoint.ts";
import { Instant } from "#base/moments.ts";
import { Count } from "#base/values.ts";
import * as calls from "./calls.ts";

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
      description: "API keys of this organization that they created and that still work.",
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
    description: "Takes effect at once. The last admin stays one.",
    roles: ["admin"],
    params,
    body: z.object({ role: Role }),
    reply: z.object({ member: Member }),
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.removeMember, {
    summary: "Remove a member from the organization",
    description:
      "Their sessions in it end at once. API keys that they created go on working, unless you revoke them too.",
    roles: ["admin"],
    params,
    query: z.object({
      revoke_api_keys: z
        .stringbool()
        .default(false)
        .meta({ description: "Also revokes the API keys that they created.", example: false }),
    }),
    reply: z.object({
      member: Member,
      revoked_api_keys: Count.meta({ description: "API keys that were revoked.", example: 0 }),
    }),
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.transferOrganization, {
    summary: "Hand the organization over to a member",
    description: "The member becomes an admin, and you a member, in one step.",
    roles: ["admin"],
    params,
    reply: z.object({ member: Member }),
    failures: ["not_found", "conflict"],
  }),
] as const;
