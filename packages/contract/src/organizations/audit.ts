import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { wholeNumber } from "#base/values.ts";
import { auditEventNames } from "./audit-events.ts";
import * as calls from "./calls.ts";

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
      description: "Target of the action, by its name at that time.",
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

const endpoint = endpointIn("Organizations");

export const auditEndpoints = [
  endpoint(calls.listAuditEntries, {
    summary: "Actions in the organization, newest first",
    description: `Entries are append-only and kept for ${limits.auditDays} days.`,
    roles: ["admin"],
    isOpenToDemo: false,
    query: z.object({
      event: z.enum(auditEventNames).optional().meta({ description: "Only this event." }),
      before: z.string().max(100).optional().meta({ description: "`next` of the previous page." }),
      limit: wholeNumber(limits.auditPageSizeMax, limits.auditPageSize),
    }),
    reply: z.object({
      entries: z.array(AuditEntry),
      next: EntryId.nullable().meta({ description: "null on the last page." }),
    }),
  }),
  endpoint(calls.exportAuditEntries, {
    summary: "The audit log as CSV",
    description:
      "All entries, newest first, with a header line (RFC 4180). Cells that a spreadsheet would take for a formula begin with an apostrophe.",
    roles: ["admin"],
    isOpenToDemo: false,
    reply: z.undefined(),
    downloads: [{ contentType: "text/csv", description: "One line for each entry." }],
    failures: ["rate_limited"],
  }),
] as const;
