import { z } from "zod";
import { User } from "#accounts/account.ts";
import { roles } from "#base/call.ts";
import { endpointIn, Role } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { Count, givenName } from "#base/values.ts";
import * as calls from "./calls.ts";

export const OrganizationId = z.uuid().meta({ example: "b2c1f0de-93a4-4e7b-8a56-51d0c7e4f982" });

const OrganizationName = z.string().meta({ example: "Ada's organization" });

/** A session that has moved to another organization. Its refresh token keeps working. */
export const MovedSession = z
  .object({
    user: User,
    access_token: z.string().meta({
      description: "Replaces the access token of the session; the old token stops working.",
      example: "eyJhbGciOiJIUzI1NiJ9...",
    }),
  })
  .meta({ id: "MovedSession" });
export type MovedSession = z.output<typeof MovedSession>;

const Membership = z
  .object({
    id: OrganizationId,
    name: OrganizationName,
    role: Role,
    joined_at: Instant,
    is_current: z.boolean().meta({ description: "Whether this session is in it.", example: true }),
  })
  .meta({ id: "Membership" });
export type Membership = z.output<typeof Membership>;

const RequiresSecondFactor = z
  .boolean()
  .meta({ description: "Whether every member needs a second factor.", example: false });

const Organization = z
  .object({
    id: OrganizationId,
    name: OrganizationName,
    created_at: Instant,
    members: Count.meta({ example: 3 }),
    requires_second_factor: RequiresSecondFactor,
    members_without_second_factor: Count.nullable().meta({
      description: "Null unless you are an admin.",
      example: 1,
    }),
  })
  .meta({ id: "Organization" });
export type Organization = z.output<typeof Organization>;

/** The kinds of things that a link can name. */
export const LinkedKind = z.enum(["profile", "service", "incident"]);
export type LinkedKind = z.infer<typeof LinkedKind>;

const Left = z.object({
  moved: MovedSession.nullable().meta({
    description: "This session, moved to your next organization; null if you have none and it ended.",
  }),
});

const endpoint = endpointIn("Organizations");

export const organizationEndpoints = [
  endpoint(calls.listOrganizations, {
    summary: "Your organizations, in the order joined",
    isOpenWithoutSecondFactor: true,
    isOpenToDemo: false,
    reply: z.object({ organizations: z.array(Membership) }),
  }),
  endpoint(calls.switchOrganization, {
    summary: "Move this session to another of your organizations",
    description: "The next sign-in starts there, too.",
    isOpenWithoutSecondFactor: true,
    roles,
    params: z.object({ id: z.string().meta(OrganizationId.meta() ?? {}) }),
    reply: MovedSession,
    failures: ["not_found"],
  }),
  endpoint(calls.findOrganizationOf, {
    summary: "Which of your organizations a profile, a service or an incident belongs to",
    description:
      "If several have a service with this name, the one joined first is returned; the current one only if no other has it. Null if none has it.",
    isOpenToDemo: false,
    params: z.object({
      kind: LinkedKind.meta({ example: "profile" }),
      id: z.string().meta({
        description: "The name of a service, the id of the others.",
        example: "3f9a1c07be52d8e4460b7c91691e9f40",
      }),
    }),
    reply: z.object({
      organization: z.object({ id: OrganizationId, name: OrganizationName }).nullable(),
    }),
  }),
  endpoint(calls.leaveOrganization, {
    summary: "Leave the organization of this session",
    description:
      "Your other sessions in it end. The last admin cannot leave: make another member an admin first.",
    isOpenWithoutSecondFactor: true,
    roles,
    reply: Left,
    failures: ["conflict"],
  }),
  endpoint(calls.getOrganization, {
    summary: "The organization of this session",
    reply: Organization,
  }),
  endpoint(calls.renameOrganization, {
    summary: "Rename the organization",
    roles: ["admin"],
    body: z.object({
      name: givenName("Organization name", limits.organizationNameLengthMax).meta({ example: "Acme" }),
    }),
    reply: Organization,
  }),
  endpoint(calls.requireSecondFactor, {
    summary: "Require a second factor for all members, or make it optional",
    description:
      "Takes effect immediately: members without one get 403 `second_factor_required` for everything but their account and other organizations, until they set one up. API keys, public links and the demo are not affected. 409 if you have no second factor yourself.",
    roles: ["admin"],
    body: z.strictObject({ is_required: RequiresSecondFactor }),
    reply: Organization,
    failures: ["conflict"],
  }),
  endpoint(calls.deleteOrganization, {
    summary: "Delete the organization with its data",
    description:
      "Members, API keys and sessions stop working immediately; profiles and derived data are removed permanently within minutes. User accounts stay.",
    roles: ["admin"],
    body: z.object({
      confirm: z.string().meta({ description: "The name of the organization again.", example: "Acme" }),
    }),
    reply: Left,
    failures: ["conflict"],
  }),
] as const;
