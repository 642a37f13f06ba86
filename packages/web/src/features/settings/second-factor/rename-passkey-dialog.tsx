import { limits, type Passkey, renamePasskey } from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey;
  readonly onRenamed: (name: string) => unknown;
  readonly onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onRenamed, onClose }: RenamePasskeyDialogProps) {
  const { id } = passkey;
  const form = useForm({
    initial: () => ({ name: passkey.name }),
    check: ({ name }) =>
      name.trim() === "" ? [{ field: "name", text: "Enter a name for the passkey" }] : [],
    send: ({ name }) => call(renamePasskey, { params: { id }, body: { name: name.trim() } }),
    onSent: (reply) => onRenamed(reply.passkey.name),
  });
  return (
    <FormDialog
      form={form}
      title="Rename the passkey"
      description="The name helps you to tell your passkeys apart. The device keeps its own."
      action="Rename"
      pending="Renaming..."
      failure="Failed to rename the passkey"
      onClose={onClose}
    >
      <Field
        label="Name"
        autoComplete="off"
        maxLength={limits.passkeyNameLengthMax}
        {...form.field("name")}
      />
    </FormDialog>
  );
}
