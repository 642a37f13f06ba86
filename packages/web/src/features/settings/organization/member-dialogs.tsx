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
          ? "Their sessions in this organization end at once. They created no API key that still works."
          : `Their sessions in this organization end at once. ${keysText(keys)} unless you revoke ${keys === 1 ? "it" : "them"} too.`
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
          label={`Revoke ${keys === 1 ? "the API key" : `the ${keys} API keys`} that they created`}
          isChecked={revokesKeys}
          onChange={setRevokesKeys}
        />
      )}
    </ConfirmDialog>
  );
}

function keysText(keys: number): string {
  return keys === 1
    ? "The API key that they created goes on working"
    : `The ${keys} API keys that they created go on working`;
}

export function TransferDialog({ member, onClose }: MemberDialogProps) {
  return (
    <ConfirmDialog
      title={`Hand the organization over to ${member.name}?`}
      description="They become an admin, and you become a member: you cannot take it back yourself."
      action="Hand over"
      failure="Failed to hand the organization over"
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
