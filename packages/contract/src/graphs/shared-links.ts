import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { GraphType } from "#base/profile-type-schemas.ts";
import { LabelName, ProfileId, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";
import { flameGraphContentType, flameGraphDiffContentType, sharedLinkDays } from "./calls.ts";
import { ComparisonUnit } from "./diff.ts";
import { FrameGrouping } from "./flame-graph.ts";

const Filters = z
  .record(z.string().min(1).max(limits.tagNameLengthMax), z.string().max(1024))
  .refine((filters) => Object.keys(filters).every((name) => !name.includes(":")), {
    error: "The name of a tag or label must not contain a colon",
  })
  .refine((filters) => Object.keys(filters).length <= limits.labelFiltersMax, {
    error: `Tags and labels must be at most ${limits.labelFiltersMax} each`,
  })
  .default({})
  .meta({ example: { region: "eu" } });

const Range = { service: ServiceName, from: Instant, to: Instant, tags: Filters, labels: Filters };

const GraphFields = {
  sample_type: z.string().max(limits.sampleTypeLengthMax).optional().meta({ example: "cpu" }),
  group_by: FrameGrouping.default("function"),
  group_by_label: LabelName.optional().meta({ example: "handler" }),
};

const SharedProfile = z
  .strictObject({ kind: z.literal("profile"), profile_id: ProfileId, labels: Filters, ...GraphFields })
  .meta({ id: "SharedProfile" });

const SharedRange = z
  .strictObject({ kind: z.literal("range"), type: GraphType, ...Range, ...GraphFields })
  .meta({ id: "SharedRange" });

const SharedSide = z
  .strictObject({
    profile_id: ProfileId.nullable().default(null).meta({ description: "Null for a range.", example: null }),
    ...Range,
  })
  .meta({ id: "SharedSide" });
export type SharedSide = z.output<typeof SharedSide>;

const SharedComparison = z
  .strictObject({
    kind: z.literal("comparison"),
    type: GraphType,
    before: SharedSide,
    after: SharedSide,
    sample_type: GraphFields.sample_type,
    group_by: GraphFields.group_by,
    per: ComparisonUnit.optional(),
  })
  .meta({ id: "SharedComparison" });

/** The flame graph of a link, with every parameter of the call that draws it. Ranges do not move. */
export const SharedGraph = z
  .discriminatedUnion("kind", [SharedProfile, SharedRange, SharedComparison])
  .meta({ id: "SharedGraph" });
export type SharedGraph = z.output<typeof SharedGraph>;

const looksMax = 16;

/** Zoom, search and colours at the first view, as the web app has them in its address. */
export const SharedLook = z
  .record(z.string().max(30), z.string().max(limits.flameGraphRootLengthMax))
  .refine((look) => Object.keys(look).length <= looksMax, {
    error: `look must have at most ${looksMax} fields`,
  })
  .default({})
  .meta({
    description: "Zoom, search and colours at the first view, as in the address of the web app.",
    example: { q: "json" },
  });
export type SharedLook = z.output<typeof SharedLook>;

const SharedLinkId = z.uuid().meta({ example: "c04a7e0f-6f0b-4a39-9e55-5b1f7f3d2a10" });

export const SharedLink = z
  .object({
    id: SharedLinkId,
    kind: z.enum(["profile", "range", "comparison"]).meta({ example: "range" }),
    service: ServiceName,
    type: z.string().meta({ description: "Kind of profile.", example: "cpu" }),
    created_by: z.string().meta({ example: "Ada Lovelace" }),
    created_at: Instant,
    expires_at: Instant,
    last_opened_at: Instant.nullable().meta({
      description: "To the minute; null: never.",
      example: "2026-11-20T09:58:31.000Z",
    }),
    is_revocable: z.boolean().meta({
      description: "Whether you may revoke it. Admins may revoke all links, members their own.",
      example: true,
    }),
  })
  .meta({ id: "SharedLink" });
export type SharedLink = z.output<typeof SharedLink>;

const IsAllowed = z
  .boolean()
  .meta({ description: "Whether the organization allows public links.", example: true });

/** Without a maximum: a text of any form gets the same reply as an unknown token. */
const Token = z.string().meta({ example: "q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM" });

const oneSentence =
  "The same 404 for a link that never existed, has expired or was revoked, and where the organization does not allow links.";

const endpoint = endpointIn("Sharing");

export const sharedLinkEndpoints = [
  endpoint(calls.listSharedLinks, {
    summary: "Public links that have not expired, newest first",
    roles: ["admin", "member"],
    isOpenToDemo: false,
    reply: z.object({ is_allowed: IsAllowed, shared_links: z.array(SharedLink) }),
  }),
  endpoint(calls.createSharedLink, {
    summary: "Create a public, read-only link to one flame graph",
    description:
      "Anyone with the link sees this graph and nothing else, until it expires or is revoked. 403 unless an admin has allowed public links. It also stops working when its profile or service is removed, while its author is a viewer, and when the author leaves the organization.",
    body: z.object({
      graph: SharedGraph,
      look: SharedLook,
      expires_in_days: z.literal(sharedLinkDays).meta({ example: 7 }),
    }),
    reply: z.object({
      shared_link: SharedLink,
      url: z.string().meta({
        description: "The link. Only this reply contains it.",
        example: "https://flamekeep.example.com/shared/q1Zr8mB0vXc3nKf7tYw2LdPs5HgJ9aEuRi6oTxQyNkM",
      }),
    }),
    status: 201,
    failures: ["not_found", "unprocessable", "quota_exceeded"],
  }),
  endpoint(calls.revokeSharedLink, {
    summary: "Revoke a public link",
    description: "Takes effect immediately. Admins may revoke all links, members their own.",
    params: z.object({ id: z.string().meta(SharedLinkId.meta() ?? {}) }),
    reply: z.object({ shared_link: SharedLink }),
    failures: ["not_found"],
  }),
  endpoint(calls.allowSharedLinks, {
    summary: "Allow public links, or switch them off",
    description: "Off by default. Switching them off removes all links permanently.",
    roles: ["admin"],
    body: z.strictObject({ is_allowed: IsAllowed }),
    reply: z.object({ is_allowed: IsAllowed }),
  }),
  endpoint(calls.readSharedView, {
    summary: "Details of a public link",
    description: oneSentence,
    body: z.strictObject({ token: Token }),
    reply: z.object({
      graph: SharedGraph,
      service: ServiceName,
      file: z.string().nullable().meta({
        description:
          "Name of the file that was opened without an account; null for a graph that a member shared.",
        example: null,
      }),
      type: z.string().meta({ description: "Kind of profile.", example: "cpu" }),
      from: Instant.meta({ description: "Start of the profile or range." }),
      to: Instant.meta({ description: "End of the profile or range." }),
      look: SharedLook,
      expires_at: Instant,
    }),
    failures: ["not_found", "rate_limited"],
  }),
  endpoint(calls.readSharedGraph, {
    summary: "The flame graph of a public link",
    description: `The shared graph, as columns. ${oneSentence}`,
    body: z.strictObject({
      token: Token,
      root: z
        .string()
        .max(limits.flameGraphRootLengthMax)
        .regex(/^(?:root(?:_[0-9]+)*|[0-9a-z.~]*)$/u)
        .optional()
        .meta({ description: "Only this frame and the frames below it, for a zoom.", example: "root_0_2" }),
      stored_frames: z.boolean().default(false).meta({
        description:
          "Each function has a row for each of its stored frames. For files of the graph in the format of pprof.",
        example: true,
      }),
    }),
    reply: z.undefined(),
    downloads: [
      { contentType: flameGraphContentType, description: "Of a profile or range." },
      { contentType: flameGraphDiffContentType, description: "Of a comparison." },
    ],
    failures: ["not_found", "unprocessable", "rate_limited"],
  }),
] as const;
