import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { hiddenRule, isReadableText } from "#base/readable.ts";
import { Count, ServiceName, wholeNumber } from "#base/values.ts";
import { Alert, alertHandling, listFields } from "./alert.ts";
import * as calls from "./calls.ts";

const Assignee = z
  .object({
    user_id: z.uuid().meta({ example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" }),
    name: z.string().meta({ example: "Ada Lovelace" }),
    at: Instant.meta({ description: "Since when." }),
  })
  .meta({ id: "Assignee", description: "The member responsible for an incident." });

export const Incident = z
  .object({
    id: z.uuid().meta({
      description: "That of its first alert.",
      example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    }),
    service: ServiceName,
    timestamp: Instant.meta({ description: "When its first signal opened." }),
    began_at: Instant.meta({
      description: "The earliest start of its signals; the opening time if no start is known.",
      example: "2026-11-20T09:42:10.000Z",
    }),
    began_error_seconds: z.number().optional().meta({
      description: "Uncertainty of the start in both directions. Absent if it is known to a few minutes.",
      example: 1800,
    }),
    resolved_at: Instant.nullable().meta({
      description: "Time the last signal resolved; null while one is open.",
      example: null,
    }),
    status: z
      .enum(["open", "resolved"])
      .meta({ description: "open while any signal is open.", example: "open" }),
    severity: Alert.shape.severity.meta({ description: "The highest of its signals.", example: "critical" }),
    signals: z.array(Alert).min(1).meta({ description: "Its alerts, in the order in which they opened." }),
    acknowledged: alertHandling.acknowledged.meta({
      description:
        "The latest acknowledgement, if all open signals are acknowledged. Absent otherwise, and after it resolves.",
    }),
    assignee: Assignee.optional().meta({ description: "Absent if unassigned." }),
    comment_count: Count.meta({ example: 1 }),
  })
  .meta({ id: "Incident", description: "Alerts of one service that started together." });
export type Incident = z.output<typeof Incident>;

export const IncidentComment = z
  .object({
    id: z.uuid().meta({ example: "6a1c9d42-0f5b-4e77-8c3d-b24e9a7f1035" }),
    by: z.string().nullable().meta({
      description: "Of a coding agent: the person who created its key. null if the account no longer exists.",
      example: "Ada Lovelace",
    }),
    is_yours: z.boolean().meta({ example: true }),
    at: Instant,
    text: z.string().meta({ example: "The price import runs twice since 1.8.0." }),
  })
  .meta({ id: "IncidentComment", description: "Plain text that a member wrote about an incident." });
export type IncidentComment = z.output<typeof IncidentComment>;

const params = z.object({ id: z.string().meta({ example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845" }) });

const CommentReply = z.object({ incident: Incident, comment: IncidentComment });

const endpoint = endpointIn("Alerts");

export const incidentEndpoints = [
  endpoint(calls.listIncidents, {
    summary: "Incidents of the organization's services, newest first",
    description: "The incidents of a project are the incidents of the service with its name.",
    query: z.object(
      listFields("incidents", wholeNumber(limits.incidentListLimitMax, limits.incidentListLimit)),
    ),
    reply: z.object({
      incidents: z.array(Incident),
      next_cursor: z.string().nullable().meta({ description: "null on the last page.", example: null }),
    }),
  }),
  endpoint(calls.getIncident, {
    summary: "An incident with its signals and comments",
    params: z.object({ id: z.string().meta({ example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845" }) }),
    reply: z.object({
      incident: Incident,
      comments: z.array(IncidentComment).meta({ description: "Oldest first." }),
    }),
    failures: ["not_found"],
  }),
  endpoint(calls.acknowledgeIncident, {
    summary: "Acknowledge an incident, or undo it",
    description:
      "Acknowledges all open signals that are not acknowledged yet, or removes their acknowledgements. A signal that joins " +
      "later starts unacknowledged.",
    params,
    body: z.object({ is_acknowledged: z.boolean().default(true).meta({ example: true }) }),
    reply: z.object({ incident: Incident }),
    failures: ["not_found", "unprocessable"],
  }),
  endpoint(calls.assignIncident, {
    summary: "Assign an incident to a member of the organization, or unassign it",
    description: "Replaces the current assignee. An assignment ends when the person leaves the organization.",
    params,
    body: z.object({
      user_id: z.uuid().nullable().meta({
        description: "null: nobody.",
        example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21",
      }),
    }),
    reply: z.object({ incident: Incident }),
    failures: ["not_found", "unprocessable"],
  }),
  endpoint(calls.commentIncident, {
    summary: "Comment on an incident",
    description: `Plain text of at most ${limits.incidentCommentLengthMax} characters; an incident has at most ${limits.incidentCommentsMax} comments. Comments stay when their author leaves the organization.`,
    isOpenToAgents: true,
    params,
    body: z.object({
      text: z
        .string()
        .trim()
        .min(1)
        .max(limits.incidentCommentLengthMax)
        .refine(isReadableText, { error: `Field 'text' ${hiddenRule}` })
        .meta({ example: "The price import runs twice since 1.8.0." }),
    }),
    reply: CommentReply,
    status: 201,
    failures: ["not_found", "unprocessable"],
  }),
  endpoint(calls.removeIncidentComment, {
    summary: "Remove your own comment; admins can remove any",
    params: params.extend({
      comment: z.string().meta({ example: "6a1c9d42-0f5b-4e77-8c3d-b24e9a7f1035" }),
    }),
    reply: CommentReply,
    failures: ["not_found"],
  }),
] as const;
