import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Instant } from "./time.ts";

/** Every event that the audit log records, with its words for people. */
export const auditEvents = {
  "account.registered": "Account created",
  "account.disabled": "Account disabled by the operator",
  "account.enabled": "Account enabled by the operator",
  "account.reset_link_created": "Reset link created by the operator",
  "account.second_factors_removed": "Second factors removed by the operator",
  "account.made_operator": "Made the operator of the server",
  "session.started": "Signed in",
  "session.failed": "Sign-in failed",
  "session.locked": "Sign-ins refused after too many failures",
  "session.challenged": "Password accepted, second factor asked for",
  "session.code_refused": "Wrong code of a second factor",
  "session.reused": "Refresh token reused, session ended",
  "session.ended": "Signed out",
  "session.revoked": "Session ended in Settings",
  "session.moved": "Switched to this organization",
  "password.reset_requested": "Password reset requested",
  "password.reset": "Password reset",
  "password.changed": "Password changed",
  "password.refused": "Wrong current password entered in a session",
  "email.confirmed": "Email address confirmed",
  "totp.added": "Authenticator app added",
  "totp.removed": "Authenticator app removed",
  "identity.linked": "Single sign-on linked",
  "identity.unlinked": "Single sign-on unlinked",
  "passkey.added": "Passkey added",
  "passkey.renamed": "Passkey renamed",
  "passkey.removed": "Passkey removed",
  "recovery_code.used": "Signed in with a recovery code",
  "recovery_codes.replaced": "Recovery codes replaced",
  "key.created": "API key created",
  "key.revoked": "API key revoked",
  "key.first_used": "API key used for the first time",
  "analysis.started": "Analysis started",
  "profile.exported": "Profile downloaded",
  "audit.exported": "Audit log exported",
  "retention.changed": "Retention changed",
  "service.deleted": "Service deleted",
  "alerts.settings_changed": "Alert settings changed",
  "alert.expected": "Alert marked as expected",
  "incident.assigned": "Incident assigned",
  "incident.commented": "Incident commented on",
  "incident.comment_removed": "Comment on an incident removed",
  "alert_rule.created": "Alert rule created",
  "alert_rule.changed": "Alert rule changed",
  "alert_rule.removed": "Alert rule deleted",
  "source_link.changed": "Source link changed",
  "organization.renamed": "Organization renamed",
  "second_factor.requirement_changed": "Second factor required or no longer required",
  "organization.transferred": "Organization handed over",
  "member.joined": "Member joined",
  "member.role_changed": "Role changed",
  "member.removed": "Member removed",
  "member.left": "Member left",
  "invitation.created": "Invitation created",
  "invitation.revoked": "Invitation revoked",
  "link.created": "Public link created",
  "link.revoked": "Public link revoked",
  "sharing.changed": "Public links allowed or forbidden",
} as const;

export type AuditEvent = keyof typeof auditEvents;
export const auditEventNames = Object.keys(auditEvents) as [AuditEvent, ...AuditEvent[]];

const area = "Organizations";
const path = "/api/v1/protected/organization/audit";
const EntryId = z.string().meta({ example: "2026-11-20T10:00:00.000Z-000017-9f3a1c07" });

export const AuditEntry = z
  .object({
    id: EntryId,
    at: Instant,
    event: z.enum(auditEventNames).meta({ example: "key.created" }),
    outcome: z.enum(["success", "failure"]).meta({ example: "success" }),
    actor: z.string().nullable().meta({
      description: "Email address of a person, or `API key`; null if unknown.",
      example: "ada@example.com",
    }),
    target: z.string().nullable().meta({
      description: "What it was done to, by its name at that time.",
      example: "checkout, production",
    }),
    address: z.string().nullable().meta({ example: "203.0.113.7" }),
    user_agent: z.string().nullable().meta({ example: "Mozilla/5.0 (X11; Linux x86_64)" }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: "The server's log has the request under it.", example: "5f0c3a1e9b7d2468" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof AuditEntry>;

export const listAuditEntries = endpoint({
  method: "GET",
  path,
  area,
  summary: "What was done in the organization, newest first",
  description: `Entries are only ever added. They are kept for ${limits.auditDays} days.`,
  auth: "session",
  roles: ["admin"],
  isOpenToDemo: false,
  query: z.object({
    event: z.enum(auditEventNames).optional().meta({ description: "Only this event." }),
    before: z.string().max(100).optional().meta({ description: "`next` of the page before." }),
    limit: z.coerce.number().int().min(1).max(limits.auditPageSizeMax).default(limits.auditPageSize),
  }),
  reply: z.object({
    entries: z.array(AuditEntry),
    next: EntryId.nullable().meta({ description: "null on the last page." }),
  }),
});

export const exportAuditEntries = endpoint({
  method: "GET",
  path: `${path}/export`,
  area,
  summary: "The audit log as CSV",
  description:
    "All entries, newest first, with a header line (RFC 4180). Cells that a spreadsheet would take for a formula begin with an apostrophe.",
  auth: "session",
  roles: ["admin"],
  isOpenToDemo: false,
  reply: z.undefined(),
  downloads: [{ contentType: "text/csv", description: "One line for each entry." }],
  failures: ["rate_limited"],
});
