import { createInvitation, isEmail, type ReplyOf, type Role } from "@flamekeep/contract";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { LabelledSelect } from "#settings/labelled-select.tsx";
import { invitationsQuery } from "#settings/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
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

interface Draft {
  readonly email: string;
  readonly role: Role;
  readonly days: (typeof validities)[number]["value"];
}

export function InviteDialog({ onClose, onCreated }: InviteDialogProps) {
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
  const { role, days } = form.values;
  return (
    <FormDialog
      form={form}
      title="Invite to the organization"
      description="You get a link that works once. With an address, only that person can use it."
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
      <LabelledSelect
        label="Role"
        value={role}
        options={roleOptions}
        onChange={(chosen) => form.set({ role: chosen })}
      />
      <LabelledSelect
        label="Valid for"
        value={days}
        options={validities}
        onChange={(chosen) => form.set({ days: chosen })}
      />
    </FormDialog>
  );
}
