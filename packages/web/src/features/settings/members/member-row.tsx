import { changeMemberRole, type Member, type Role } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { dateText, exactTime } from "#format/time.ts";
import { membersQuery } from "#session/members-query.ts";
import { accountQuery } from "#settings/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { roleLabel, roleOptions } from "./role-options.ts";

interface MemberRowProps {
  readonly member: Member;
  readonly isEditable: boolean;
  readonly onRemove: () => void;
  readonly onTransfer: () => void;
}

export function MemberRow({ member, isEditable, onRemove, onTransfer }: MemberRowProps) {
  const { name, email, role, is_you, joined_at, last_login_at } = member;
  return (
    <li className="grid grid-cols-1 items-center gap-x-4 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_8rem_8rem_8rem_13rem]">
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
          {is_you && <Badge>You</Badge>}
          {!member.is_active && (
            <Badge tone="warning" title="The operator of this server disabled the account">
              Disabled
            </Badge>
          )}
        </p>
        <p className="truncate text-label text-muted" title={email}>
          {email}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-4 text-label lg:contents">
        <p>
          <span className="text-muted lg:block">Joined </span>
          <span title={exactTime(joined_at)}>{dateText(joined_at)}</span>
        </p>
        <p>
          <span className="text-muted lg:block">Last sign-in </span>
          {last_login_at ? <RelativeTime at={last_login_at} /> : "Never"}
        </p>
      </div>
      {isEditable ? <RoleSelect member={member} /> : <Badge>{roleLabel(role)}</Badge>}
      <div className="flex flex-wrap gap-2 lg:justify-end">
        {isEditable && !is_you && (
          <>
            <Button size="sm" onClick={onTransfer} aria-label={`Hand over to ${name}`}>
              Hand over
            </Button>
            <Button size="sm" variant="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

function RoleSelect({ member: { id, name, role } }: { readonly member: Member }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (next: Role) => call(changeMemberRole, { params: { id }, body: { role: next } }),
    onSuccess: ({ member }) => showToast(`${name} is ${roleLabel(member.role).toLowerCase()} now`),
    onError: (error) => showToast(serverText(error, "Failed to change the role")),
    // An admin may have changed their own role.
    onSettled: () =>
      Promise.all([client.invalidateQueries(membersQuery), client.invalidateQueries(accountQuery)]),
  });
  return (
    <Select
      label={`Role of ${name}`}
      size="sm"
      className="w-32"
      value={role}
      options={roleOptions}
      onChange={(next) => next !== role && change.mutate(next)}
    />
  );
}
