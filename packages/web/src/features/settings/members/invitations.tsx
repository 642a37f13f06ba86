import type { createInvitation, Invitation, ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { dateText, exactTime } from "#format/time.ts";
import { invitationsQuery } from "#settings/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { InvitationLinkDialog } from "./invitation-link-dialog.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { RevokeInvitationDialog, revokeLabel } from "./revoke-invitation-dialog.tsx";
import { roleLabel } from "./role-options.ts";

type Step =
  | { readonly kind: "list" }
  | { readonly kind: "invite" }
  | { readonly kind: "created"; readonly created: ReplyOf<typeof createInvitation> }
  | { readonly kind: "revoke"; readonly invitation: Invitation };

export function Invitations() {
  const query = useQuery(invitationsQuery);
  const [step, setStep] = useState<Step>({ kind: "list" });
  const close = () => setStep({ kind: "list" });
  return (
    <Card>
      <CardHeader
        title="Invitations"
        detail="Links that can still be accepted. Each works once."
        actions={
          <Button variant="primary" onClick={() => setStep({ kind: "invite" })}>
            <UserPlus aria-hidden className="size-4" strokeWidth={2} />
            Invite
          </Button>
        }
      />
      <Panel
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-8 w-56" />}
        errorTitle="Failed to load invitations"
        empty={({ invitations }) => (invitations.length === 0 ? <NoInvitations /> : null)}
      >
        {({ invitations }) => (
          <ul className="divide-y divide-line border-line border-t">
            {invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                onRevoke={() => setStep({ kind: "revoke", invitation })}
              />
            ))}
          </ul>
        )}
      </Panel>
      {step.kind === "invite" && (
        <InviteDialog onClose={close} onCreated={(created) => setStep({ kind: "created", created })} />
      )}
      {step.kind === "created" && <InvitationLinkDialog created={step.created} onClose={close} />}
      {step.kind === "revoke" && <RevokeInvitationDialog invitation={step.invitation} onClose={close} />}
    </Card>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly onRevoke: () => void;
}

function InvitationRow({ invitation, onRevoke }: InvitationRowProps) {
  const { email, role, invited_by, expires_at } = invitation;
  const name = email ?? "Anyone with the link";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          <Badge>{roleLabel(role)}</Badge>
        </p>
        <p className="truncate text-label text-muted">
          {invited_by !== null && `Invited by ${invited_by}. `}
          <span title={exactTime(expires_at)}>Expires {dateText(expires_at)}</span>
        </p>
      </div>
      <Button size="sm" variant="danger" onClick={onRevoke} aria-label={revokeLabel(invitation)}>
        Revoke
      </Button>
    </li>
  );
}

function NoInvitations() {
  return (
    <p className="border-line border-t px-4 py-6 text-muted">
      No open invitations. Invite colleagues by mail or with a link: they see the same profiles.
    </p>
  );
}
