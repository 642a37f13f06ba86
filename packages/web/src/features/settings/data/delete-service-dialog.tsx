import { deleteService, type ServiceTotals } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { plural } from "#format/number.ts";
import { profileCount } from "#profile-list/service-order.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface DeleteServiceDialogProps {
  readonly service: ServiceTotals;
  readonly onClose: () => void;
}

export function DeleteServiceDialog({ service, onClose }: DeleteServiceDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${service.name}?`}
      description={`${plural(profileCount(service), "profile")}, its HTTP metrics and everything derived from them are removed and cannot be restored. Programs that still send are not stopped: revoke their key first.`}
    >
      <DeleteServiceForm service={service} onClose={onClose} />
    </Dialog>
  );
}

function DeleteServiceForm({ service: { name }, onClose }: DeleteServiceDialogProps) {
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState("");
  const deletion = useMutation({
    mutationFn: () => call(deleteService, { params: { service: name }, body: { confirm: confirmation } }),
    async onSuccess() {
      showToast(`${name} is deleted`);
      onClose();
      // Its profiles, alerts and totals are on every page.
      await client.invalidateQueries();
    },
  });
  const form = useCheckedForm(
    () => (confirmation === name ? [] : [{ field: "confirmation", text: `Type ${name} to delete it` }]),
    () => deletion.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={deletion.error ? serverText(deletion.error, "Failed to delete the service") : undefined}
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
        label={deletion.isPending ? "Deleting..." : "Delete service"}
        variant="danger"
        isDisabled={deletion.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
