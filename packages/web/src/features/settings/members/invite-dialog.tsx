import { createInvitation, isEmail, type ReplyOf, type Role } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { LabelledSelect } from "#settings/labelled-select.tsx";
import { invitationsQuery } from "#settings/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { roleOptions } from "./role-options.ts";

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: ReplyOf<typeof createInvitation>) => void;
}

const validities = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
] as const;

export function InviteDialog(props: InviteDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title="Invite to the organization"
      description="You get a link that works once. With an address, only that person can use it."
    >
      <InviteForm {...props} />
    </Dialog>
  );
}

function InviteForm({ onClose, onCreated }: InviteDialogProps) {
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [days, setDays] = useState<(typeof validities)[number]["value"]>("7");
  const invitation = useMutation({
    mutationFn: () =>
      call(createInvitation, {
        body: { email: email.trim() || null, role, expires_in_days: Number(days) },
      }),
    onSuccess: async (created) => {
      onCreated(created);
      await client.invalidateQueries(invitationsQuery);
    },
  });
  const form = useCheckedForm(
    () =>
      email.trim() === "" || isEmail(email.trim())
        ? []
        : [{ field: "email", text: "Please enter a valid email address" }],
    () => invitation.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={
          invitation.error ? serverText(invitation.error, "Failed to create the invitation") : undefined
        }
      />
      <Field
        label="Email (optional)"
        name="email"
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        {...form.hintOf("email", "Empty: anyone with the link can join.")}
      />
      <LabelledSelect label="Role" value={role} options={roleOptions} onChange={setRole} />
      <LabelledSelect label="Valid for" value={days} options={validities} onChange={setDays} />
      <DialogActions
        label={invitation.isPending ? "Creating..." : "Create invitation"}
        isDisabled={invitation.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
