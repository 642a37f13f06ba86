import { limits, type Passkey, renamePasskey } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey;
  readonly onRenamed: (name: string) => unknown;
  readonly onClose: () => void;
}

export function RenamePasskeyDialog(props: RenamePasskeyDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title="Rename the passkey"
      description="The name helps you to tell your passkeys apart. The device keeps its own."
    >
      <RenameForm {...props} />
    </Dialog>
  );
}

function RenameForm({ passkey: { id, name: before }, onRenamed, onClose }: RenamePasskeyDialogProps) {
  const [name, setName] = useState(before);
  const renaming = useMutation({
    mutationFn: () => call(renamePasskey, { params: { id }, body: { name: name.trim() } }),
    onSuccess: ({ passkey }) => onRenamed(passkey.name),
  });
  const form = useCheckedForm(
    () => (name.trim() === "" ? [{ field: "name", text: "Enter a name for the passkey" }] : []),
    () => renaming.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={renaming.error ? serverText(renaming.error, "Failed to rename the passkey") : undefined}
      />
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={limits.passkeyNameLengthMax}
        value={name}
        onChange={(event) => setName(event.target.value)}
        {...form.hintOf("name")}
      />
      <DialogActions
        label={renaming.isPending ? "Renaming..." : "Rename"}
        isDisabled={renaming.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
