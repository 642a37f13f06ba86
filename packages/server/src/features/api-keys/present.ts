import type { ApiKey } from "@flamekeep/contract";
import type { ApiKeyRow } from "./queries.ts";

export function presentApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    prefix: row.prefix,
    is_active: row.isActive === 1,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    last_used: row.lastUsedAt,
  };
}
