import {
  createInvitation,
  type Invitation,
  isEmail,
  type ReplyOf,
  type Role,
  revokeInvitation,
} from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { Suspense, useState } from "react";
import { call } from "#api/call.ts";
import { lazyPart } from "#api/import-page.ts";
import { dateText, exactTime } from "#format/time.ts";
import { ListCard } from "#settings/parts/parts.tsx";
import { invitationsQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { roleLabel, roleOptions } from "./member-dialogs.tsx";

const InvitationLinkDialog = lazyPart(
  async () => (await import("#layout/invite-dialog.tsx")).InvitationLinkDialog,
);

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
    <>
      <ListCard
        title="Invitations"
        detail="Open single-use links."
        actions={
          <Button variant="primary" onClick={() => setStep({ kind: "invite" })}>
            <UserPlus aria-hidden className="size-4" strokeWidth={2} />
            Invite
          </Button>
        }
        query={query}
        loading={<Skeleton className="mx-4 mb-4 h-8 w-56" />}
        nouns="invitations"
        items={({ invitations }) => invitations}
        nothing={
          <p className="border-line border-t px-4 py-6 text-muted">
            No open invitations. Invite colleagues by email or with a link: they see the same profiles.
          </p>
        }
      >
        {(invitation) => (
          <InvitationRow invitation={invitation} onRevoke={() => setStep({ kind: "revoke", invitation })} />
        )}
      </ListCard>
      {step.kind === "invite" && (
        <InviteDialog onClose={close} onCreated={(created) => setStep({ kind: "created", created })} />
      )}
      <Suspense>
        {step.kind === "created" && <InvitationLinkDialog created={step.created} onClose={close} />}
      </Suspense>
      {step.kind === "revoke" && <RevokeInvitationDialog invitation={step.invitation} onClose={close} />}
    </>
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

interface InviteDialogProps extends Closable {
  readonly onCreated: (created: ReplyOf<typeof createInvitation>) => void;
}

const validities = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
] as const;

interface Draft {
  readonly email: string;
  readonly role: Role;
  readonly days: (typeof validities)[number]["value"];
}

function InviteDialog({ onClose, onCreated }: InviteDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: (): Draft => ({ email: "", role: "member", days: "7" }),
    check: ({ email }) =>
      email.trim() === "" || isEmail(email.trim())
        ? []
        : [{ field: "email", text: "Please enter a valid email address" }],
    send: ({ email, role, days }) =>
      call(createInvitation, { body: { email: email.trim() || null, role, expires_in_days: Number(days) } }),
    onSent: async (created) => {
      onCreated(created);
      await client.invalidateQueries(invitationsQuery);
    },
  });
  return (
    <FormDialog
      form={form}
      title="Invite to the organization"
      description="Creates a single-use link. With an address, only that person can use it."
      action="Create invitation"
      pending="Creating..."
      failure="Failed to create the invitation"
      onClose={onClose}
    >
      <Field
        label="Email (optional)"
        type="email"
        autoComplete="off"
        {...form.field("email", "Empty: anyone with the link can join.")}
      />
      <LabelledSelect label="Role" options={roleOptions} {...form.choice("role")} />
      <LabelledSelect label="Valid for" options={validities} {...form.choice("days")} />
    </FormDialog>
  );
}

function revokeLabel({ email }: Invitation): string {
  return email === null ? "Revoke the invitation link anyone can use" : `Revoke the invitation for ${email}`;
}

function RevokeInvitationDialog({ invitation, onClose }: Closable & { readonly invitation: Invitation }) {
  return (
    <ConfirmDialog
      title={`${revokeLabel(invitation)}?`}
      description="Its link stops working immediately."
      action="Revoke invitation"
      failure="Failed to revoke the invitation"
      send={() => call(revokeInvitation, { params: { id: invitation.id } })}
      done={() => "The invitation is revoked"}
      stale={[invitationsQuery]}
      onClose={onClose}
    />
  );
}
