import type { AuditEntry } from "@flamekeep/contract";
import type { AuditRow } from "./queries.ts";

export function presentEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    event: row.event,
    outcome: row.outcome,
    actor: row.actorKind === "key" ? "API key" : row.email,
    target: row.target,
    address: row.address,
    user_agent: row.userAgent,
    request_id: row.requestId,
  };
}
