import type { SharedLink } from "@flamekeep/contract";
import { SharedGraph } from "@flamekeep/contract/schemas";
import type { UserActor } from "#context";
import type { SharedLinkRow } from "./queries.ts";

export function presentSharedLink(row: SharedLinkRow, { role, userId }: UserActor): SharedLink {
  return {
    id: row.id,
    kind: SharedGraph.parse(JSON.parse(row.graph)).kind,
    service: row.service,
    type: row.type,
    created_by: `${row.firstName} ${row.lastName}`,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_opened_at: row.lastOpenedAt,
    is_revocable: role === "admin" || row.createdBy === userId,
  };
}
