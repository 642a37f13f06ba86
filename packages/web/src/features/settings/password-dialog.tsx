import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { serverText } from "#api/reply.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";

interface PasswordDialogProps<Reply> {
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly variant?: "primary" | "danger";
  /** For password managers: the account of the password. */
  readonly email: string;
  readonly change: (password: string) => Promise<Reply>;
  readonly onChanged: (reply: Reply) => unknown;
  readonly onClose: () => void;
}

/** Asks for the password again before a change of how the person signs in. */
export function PasswordDialog<Reply>(props: PasswordDialogProps<Reply>) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title={props.title}
      description={props.description}
    >
      <PasswordForm {...props} />
    </Dialog>
  );
}

function PasswordForm<Reply>(props: PasswordDialogProps<Reply>) {
  const [password, setPassword] = useState("");
  const change = useMutation({ mutationFn: () => props.change(password), onSuccess: props.onChanged });
  const form = useCheckedForm(
    () => (password === "" ? [{ field: "password", text: "Enter your password" }] : []),
    () => change.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={change.error ? serverText(change.error, "The change failed. Please try again.") : undefined}
      />
      <input type="email" name="email" autoComplete="username" value={props.email} readOnly hidden />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        {...form.hintOf("password")}
      />
      <DialogActions
        label={change.isPending ? "Checking..." : props.action}
        variant={props.variant ?? "primary"}
        isDisabled={change.isPending}
        onCancel={props.onClose}
      />
    </form>
  );
}
