import type { ApiKey } from "@flamekeep/contract";
import { hasExpired } from "#auth/keys/key-lookup.ts";
import type { ApiKeyRow } from "./queries.ts";

export function presentApiKey(row: ApiKeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    prefix: row.prefix,
    is_active: row.isActive === 1 && !hasExpired(row, now),
    created_at: row.createdAt,
    created_by: creatorOf(row),
    updated_at: row.updatedAt,
    expires_at: row.expiresAt,
    last_used: row.lastUsedAt,
  };
}

function creatorOf({ firstName, lastName, role }: ApiKeyRow): ApiKey["created_by"] {
  if (firstName === null || lastName === null) return null;
  return { name: `${firstName} ${lastName}`.trim(), is_member: role !== null };
}
