import type { Member } from "@flamekeep/contract";
import { fullName } from "#accounts/present.ts";
import type { UserActor } from "#context";
import type { MemberRow } from "./queries.ts";

export function presentMember(row: MemberRow, actor: UserActor): Member {
  return {
    id: row.id,
    name: fullName(row),
    email: row.email,
    role: row.role,
    is_active: row.isActive === 1,
    joined_at: row.joinedAt,
    last_login_at: row.lastLoginAt,
    is_you: row.id === actor.userId,
    active_api_keys: row.activeKeys,
  };
}
