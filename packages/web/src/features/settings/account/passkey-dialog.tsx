import { type addPasskey, limits, type Passkey, type ReplyOf, renamePasskey } from "@flamekeep/contract";
import { call } from "#api/call.ts";
import { createPasskey } from "#passkeys/passkeys.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

interface PasskeyDialogProps extends Closable {
  /** For password managers: the account of the password. */
  readonly email: string;
  readonly onAdded: (reply: ReplyOf<typeof addPasskey>) => unknown;
}

/** Asks for a name and the password, then lets the browser make the passkey. */
export function PasskeyDialog({ email, onAdded, onClose }: PasskeyDialogProps) {
  const form = useForm({
    initial: () => ({ name: "", password: "" }),
    check: ({ name, password }) => [
      ...(name.trim() === "" ? [{ field: "name", text: "Enter a name for the passkey" }] : []),
      ...(password === "" ? [{ field: "password", text: "Enter your password" }] : []),
    ],
    send: ({ name, password }) => createPasskey({ name: name.trim(), password }),
    onSent: onAdded,
  });
  return (
    <FormDialog
      form={form}
      title="Add a passkey"
      description="A passkey signs you in without a password. If you use your password instead, you will also need a second factor."
      action="Add the passkey"
      pending="Waiting for the browser..."
      failure="The browser did not create a passkey. Try again."
      onClose={onClose}
    >
      <Field
        label="Name"
        autoComplete="off"
        maxLength={limits.passkeyNameLengthMax}
        {...form.field("name", "The device or security key, such as Laptop.")}
      />
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Password" type="password" autoComplete="current-password" {...form.field("password")} />
    </FormDialog>
  );
}

interface RenamePasskeyDialogProps extends Closable {
  readonly passkey: Passkey;
  readonly onRenamed: (name: string) => unknown;
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
      description="The name identifies the passkey in this list. The device keeps its own name."
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
