import { z } from "zod";
import { endpoint, Role, roles } from "./endpoint.ts";
import { Count } from "./profiles.ts";
import { Instant } from "./time.ts";

const area = "Organizations";
const path = "/api/v1/protected/organization/members";

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

export const listMembers = endpoint({
  method: "GET",
  path,
  area,
  summary: "The members of the organization, admins first",
  auth: "session",
  isOpenToDemo: false,
  roles,
  reply: z.object({ members: z.array(Member) }),
});

export const changeMemberRole = endpoint({
  method: "PATCH",
  path: `${path}/{id}`,
  area,
  summary: "Change the role of a member",
  description: "Takes effect at once. The last admin stays one.",
  auth: "session",
  roles: ["admin"],
  params,
  body: z.object({ role: Role }),
  reply: z.object({ member: Member }),
  failures: ["not_found", "conflict"],
});

export const removeMember = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  area,
  summary: "Remove a member from the organization",
  description:
    "Their sessions in it end at once. API keys that they created go on working, unless you revoke them too.",
  auth: "session",
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
});

export const transferOrganization = endpoint({
  method: "POST",
  path: `${path}/{id}/transfer`,
  area,
  summary: "Hand the organization over to a member",
  description: "The member becomes an admin, and you a member, in one step.",
  auth: "session",
  roles: ["admin"],
  params,
  reply: z.object({ member: Member }),
  failures: ["not_found", "conflict"],
});
