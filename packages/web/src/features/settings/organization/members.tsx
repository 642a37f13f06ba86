import { changeMemberRole, type Member, type Role } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { dateText, exactTime } from "#format/time.ts";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { membersQuery } from "#session/members-query.ts";
import { useIsAdmin, useIsDemo } from "#session/session.ts";
import { AdminNote, ListCard, LoadingRows } from "#settings/parts/parts.tsx";
import { accountQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useChange } from "#ui/overlays/use-change.ts";
import { Invitations } from "./invitations.tsx";
import { RemoveMemberDialog, roleLabel, roleOptions, TransferDialog } from "./member-dialogs.tsx";

type Step = { readonly kind: "remove" | "transfer"; readonly member: Member } | undefined;

export function Members() {
  const isDemo = useIsDemo();
  if (isDemo) {
    return (
      <Card>
        <CardHeader title="Members" actions={<ReadOnlyNote />} />
        <p className="border-line border-t px-4 py-6 text-muted">
          The organization of the demo has no members.
        </p>
      </Card>
    );
  }
  return <OfOrganization />;
}

function OfOrganization() {
  const isAdmin = useIsAdmin();
  const query = useQuery(membersQuery);
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  return (
    <div className="flex flex-col gap-4">
      <ListCard
        title="Members"
        detail="Admins manage people and settings, members send and analyze profiles, viewers read."
        actions={!isAdmin && <AdminNote />}
        query={query}
        nouns="members"
        loading={<LoadingRows nouns="members" count={2} className="h-8 w-56" />}
        items={({ members }) => members}
      >
        {(member) => (
          <MemberRow
            member={member}
            isEditable={isAdmin}
            onRemove={() => setStep({ kind: "remove", member })}
            onTransfer={() => setStep({ kind: "transfer", member })}
          />
        )}
      </ListCard>
      {isAdmin && <Invitations />}
      {step?.kind === "remove" && <RemoveMemberDialog member={step.member} onClose={close} />}
      {step?.kind === "transfer" && <TransferDialog member={step.member} onClose={close} />}
    </div>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly isEditable: boolean;
  readonly onRemove: () => void;
  readonly onTransfer: () => void;
}

function MemberRow({ member, isEditable, onRemove, onTransfer }: MemberRowProps) {
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
            <Button size="sm" onClick={onTransfer} aria-label={`Transfer to ${name}`}>
              Transfer
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
  const change = useChange({
    send: (next: Role) => call(changeMemberRole, { params: { id }, body: { role: next } }),
    done: ({ member }) => `${name} is ${roleLabel(member.role).toLowerCase()} now`,
    // An admin may have changed their own role.
    stale: [membersQuery, accountQuery],
    failure: "Failed to change the role",
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
