import type { Invitation } from "@flamekeep/contract";
import { fullName } from "#accounts/present.ts";
import type { InvitationRow } from "./queries.ts";

export function presentInvitation(row: InvitationRow): Invitation {
  const { firstName, lastName } = row;
  const inviter = firstName === null || lastName === null ? null : fullName({ firstName, lastName });
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: inviter,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  };
}
