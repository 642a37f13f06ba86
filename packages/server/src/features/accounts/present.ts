import type { User } from "@flamekeep/contract";
import type { AccountRow } from "./queries.ts";

export function presentUser(row: AccountRow): User {
  return {
    id: row.id,
    email: row.email,
    first_name: row.firstName,
    last_name: row.lastName,
    name: fullName(row),
    avatar: null,
    role: row.role,
    is_active: row.isActive === 1,
    is_verified: row.isVerified === 1,
    created_at: row.createdAt,
    last_login_at: row.lastLoginAt,
    is_operator: row.operatorSlot !== null,
    needs_second_factor: Boolean(row.lacksSecondFactor),
    organization: { id: row.orgId, name: row.orgName },
  };
}

export function fullName({ firstName, lastName }: Pick<AccountRow, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`;
}
