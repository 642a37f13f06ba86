import { deleteOrganization, type Organization } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { useAfterLeaving } from "./use-after-leaving.ts";

interface DeleteOrganizationDialogProps {
  readonly organization: Organization;
  readonly onClose: () => void;
}

export function DeleteOrganizationDialog({ organization, onClose }: DeleteOrganizationDialogProps) {
  const { name } = organization;
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${name}?`}
      description="All profiles, keys, alerts and analyses are removed and cannot be restored. Everybody loses access at once; accounts of people stay."
    >
      <DeleteForm name={name} onClose={onClose} />
    </Dialog>
  );
}

function DeleteForm({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [confirmation, setConfirmation] = useState("");
  const goOn = useAfterLeaving();
  const deletion = useMutation({
    mutationFn: () => call(deleteOrganization, { body: { confirm: confirmation } }),
    onSuccess: goOn,
  });
  const form = useCheckedForm(
    () => (confirmation === name ? [] : [{ field: "confirmation", text: `Type ${name} to delete it` }]),
    () => deletion.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={deletion.error ? serverText(deletion.error, "Failed to delete the organization") : undefined}
      />
      <Field
        label={`Type ${name} to confirm`}
        name="confirmation"
        autoComplete="off"
        spellCheck={false}
        value={confirmation}
        onChange={(event) => setConfirmation(event.target.value)}
        {...form.hintOf("confirmation")}
      />
      <DialogActions
        label={deletion.isPending ? "Deleting..." : "Delete organization"}
        variant="danger"
        isDisabled={deletion.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
