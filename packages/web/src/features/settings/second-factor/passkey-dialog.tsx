import { type addPasskey, limits, type ReplyOf } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { serverText } from "#api/reply.ts";
import { createPasskey } from "#passkeys/passkeys.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, type Problem, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";

interface PasskeyDialogProps {
  /** For password managers: the account of the password. */
  readonly email: string;
  readonly onAdded: (reply: ReplyOf<typeof addPasskey>) => unknown;
  readonly onClose: () => void;
}

/** Asks for a name and the password, then lets the browser make the passkey. */
export function PasskeyDialog(props: PasskeyDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title="Add a passkey"
      description="A passkey signs you in without a password. If you use your password instead, you will also need a second factor."
    >
      <PasskeyForm {...props} />
    </Dialog>
  );
}

function PasskeyForm({ email, onAdded, onClose }: PasskeyDialogProps) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const creation = useMutation({
    mutationFn: () => createPasskey({ name: name.trim(), password }),
    onSuccess: onAdded,
  });
  const form = useCheckedForm(
    () => problemsOf(name, password),
    () => creation.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={
          creation.error ? serverText(creation.error, "The browser made no passkey. Try again.") : undefined
        }
      />
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={limits.passkeyNameLengthMax}
        value={name}
        onChange={(event) => setName(event.target.value)}
        {...form.hintOf("name", "The device or key that has it, such as Laptop.")}
      />
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
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
        label={creation.isPending ? "Waiting for the browser..." : "Add the passkey"}
        isDisabled={creation.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function problemsOf(name: string, password: string): readonly Problem[] {
  const problems: Problem[] = [];
  if (name.trim() === "") problems.push({ field: "name", text: "Enter a name for the passkey" });
  if (password === "") problems.push({ field: "password", text: "Enter your password" });
  return problems;
}
