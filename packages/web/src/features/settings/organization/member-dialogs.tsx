import { type Member, type Role, removeMember, transferOrganization } from "@flamekeep/contract";
import { useState } from "react";
import { call } from "#api/call.ts";
import { plural } from "#format/number.ts";
import { membersQuery } from "#session/members-query.ts";
import { Checkbox } from "#settings/parts/parts.tsx";
import { accountQuery } from "#settings/parts/queries.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";

interface MemberDialogProps extends Closable {
  readonly member: Member;
}

export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const [revokesKeys, setRevokesKeys] = useState(false);
  const keys = member.active_api_keys;
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      description={
        keys === 0
          ? "Their sessions in this organization end immediately. They have no active API keys."
          : `Their sessions in this organization end immediately. ${keysText(keys)} unless you revoke ${keys === 1 ? "it" : "them"} too.`
      }
      action="Remove"
      failure="Failed to remove the member"
      send={() =>
        call(removeMember, { params: { id: member.id }, query: { revoke_api_keys: String(revokesKeys) } })
      }
      done={({ revoked_api_keys: revoked }) =>
        revoked === 0
          ? `${member.name} was removed`
          : `${member.name} was removed, and ${plural(revoked, "API key")} revoked`
      }
      stale={[membersQuery, { queryKey: ["api-keys"] }]}
      onClose={onClose}
    >
      {keys > 0 && (
        <Checkbox
          label={`Revoke their ${keys === 1 ? "API key" : `${keys} API keys`}`}
          isChecked={revokesKeys}
          onChange={setRevokesKeys}
        />
      )}
    </ConfirmDialog>
  );
}

function keysText(keys: number): string {
  return keys === 1 ? "Their API key keeps working" : `Their ${keys} API keys keep working`;
}

export function TransferDialog({ member, onClose }: MemberDialogProps) {
  return (
    <ConfirmDialog
      title={`Transfer the organization to ${member.name}?`}
      description="They become an admin and you become a member. You cannot undo this yourself."
      action="Transfer"
      failure="Failed to transfer the organization"
      send={() => call(transferOrganization, { params: { id: member.id } })}
      done={() => `${member.name} is now an admin`}
      stale={[membersQuery, accountQuery]}
      onClose={onClose}
    />
  );
}

export const roleOptions: readonly { readonly value: Role; readonly label: string }[] = [
  { value: "admin", label: "Admin" },
  { value: "member", label: "Member" },
  { value: "viewer", label: "Viewer" },
];

export function roleLabel(role: Role): string {
  return roleOptions.find(({ value }) => value === role)?.label ?? role;
}
