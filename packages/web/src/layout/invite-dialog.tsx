import { createInvitation, isEmail, type ReplyOf } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { returnPath } from "#session/return-path.ts";
import { SecretLine } from "#ui/content/code-block.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { pathInside } from "#url/base-path.ts";

type Created = ReplyOf<typeof createInvitation>;

interface InviteToViewProps extends Closable {
  /** The address of the view that the invitation leads to. */
  readonly address: string;
}

/** Invites somebody by mail into the organization, and to the view on screen. */
export function InviteToView({ address, onClose }: InviteToViewProps) {
  const client = useQueryClient();
  const [created, setCreated] = useState<Created>();
  const form = useForm({
    initial: () => ({ email: "" }),
    check: ({ email }) =>
      isEmail(email.trim()) ? [] : [{ field: "email", text: "Please enter a valid email address" }],
    send: ({ email }) =>
      call(createInvitation, {
        body: { email: email.trim(), return_to: returnPath(pathInside(address)) ?? null },
      }),
    onSent: async (reply) => {
      setCreated(reply);
      await client.invalidateQueries({ queryKey: ["invitations"] });
    },
  });
  if (created !== undefined) return <InvitationLinkDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="Invite to this view"
      description="They join your organization as a member, and the invitation opens this view."
      action="Send"
      pending="Sending..."
      failure="Failed to create the invitation"
      onClose={onClose}
    >
      <Field label="Email" type="email" autoComplete="off" {...form.field("email")} />
    </FormDialog>
  );
}

const deliveries = {
  "link only": "Send this link to the person you invite.",
  sending: "It is also sent by email.",
  outbox: "Email is not set up on this server. Copy the link and send it yourself.",
};

interface InvitationLinkDialogProps extends Closable {
  readonly created: Created;
}

export function InvitationLinkDialog({ created, onClose }: InvitationLinkDialogProps) {
  return (
    <Dialog
      isDismissible={false}
      onClose={onClose}
      title="Invitation created"
      description={created.invitation.email ?? "Anyone with the link can join"}
    >
      <SecretLine text={created.url} testId="invitation-link" copyLabel="Copy link" />
      <p className="mt-4 text-muted">
        {deliveries[created.delivery]} The link is shown only now and works once.
      </p>
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
