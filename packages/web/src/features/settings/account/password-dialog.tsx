import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

interface PasswordDialogProps<Reply> extends Closable {
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly variant?: "primary" | "danger";
  /** For password managers: the account of the password. */
  readonly email: string;
  readonly change: (password: string) => Promise<Reply>;
  readonly onChanged: (reply: Reply) => unknown;
}

/** Asks for the password again before a change of how the person signs in. */
export function PasswordDialog<Reply>(props: PasswordDialogProps<Reply>) {
  const { email, change, onChanged, ...dialog } = props;
  const form = useForm({
    initial: () => ({ password: "" }),
    check: ({ password }) => (password === "" ? [{ field: "password", text: "Enter your password" }] : []),
    send: ({ password }) => change(password),
    onSent: onChanged,
  });
  return (
    <FormDialog {...dialog} form={form} pending="Checking..." failure="The change failed. Please try again.">
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Password" type="password" autoComplete="current-password" {...form.field("password")} />
    </FormDialog>
  );
}
