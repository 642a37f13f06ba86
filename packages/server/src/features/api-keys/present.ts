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
    updated_at: row.updatedAt,
    expires_at: row.expiresAt,
    last_used: row.lastUsedAt,
  };
}
