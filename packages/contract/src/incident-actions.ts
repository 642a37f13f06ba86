import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Incident, IncidentComment } from "./incidents.ts";
import { limits } from "./limits.ts";
import { hiddenRule, isReadableText } from "./readable.ts";

const area = "Alerts";
const path = "/api/v1/protected/incidents/{id}";
const params = z.object({ id: z.string().meta({ example: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845" }) });
const CommentReply = z.object({ incident: Incident, comment: IncidentComment });

export const acknowledgeIncident = endpoint({
  method: "POST",
  path: `${path}/acknowledge`,
  area,
  summary: "Say that you work on an incident, or take it back",
  description:
    "Acknowledges each of its open signals that nobody has acknowledged, or takes that of all of them back. A signal that joins " +
    "later is not acknowledged.",
  auth: "session",
  params,
  body: z.object({ is_acknowledged: z.boolean().default(true).meta({ example: true }) }),
  reply: z.object({ incident: Incident }),
  failures: ["not_found", "unprocessable"],
});

export const assignIncident = endpoint({
  method: "PUT",
  path: `${path}/assignee`,
  area,
  summary: "Assign an incident to a member of the organization, or to nobody",
  description: "Replaces the former assignee. An assignment ends when the person leaves the organization.",
  auth: "session",
  params,
  body: z.object({
    user_id: z.uuid().nullable().meta({
      description: "null: nobody.",
      example: "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21",
    }),
  }),
  reply: z.object({ incident: Incident }),
  failures: ["not_found", "unprocessable"],
});

export const commentIncident = endpoint({
  method: "POST",
  path: `${path}/comments`,
  area,
  summary: "Comment on an incident",
  description: `Plain text of at most ${limits.incidentCommentLengthMax} characters; an incident has at most ${limits.incidentCommentsMax} comments. Comments stay when their author leaves the organization.`,
  auth: "session",
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
});

export const removeIncidentComment = endpoint({
  method: "DELETE",
  path: `${path}/comments/{comment}`,
  area,
  summary: "Remove a comment of yours; an admin removes any",
  auth: "session",
  params: params.extend({
    comment: z.string().meta({ example: "6a1c9d42-0f5b-4e77-8c3d-b24e9a7f1035" }),
  }),
  reply: CommentReply,
  failures: ["not_found"],
});
