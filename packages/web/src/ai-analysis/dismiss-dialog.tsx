import { limits } from "@flamekeep/contract";
import { type FormEvent, useState } from "react";
import { Field } from "#ui/controls/field.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { DialogActions } from "#ui/overlays/form-dialog.tsx";

interface DismissDialogProps extends Closable {
  readonly onDismiss: (reason: string) => void;
}

/** Asks why advice is dismissed. */
export function DismissDialog({ onDismiss, onClose }: DismissDialogProps) {
  const [reason, setReason] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() !== "") onDismiss(reason.trim());
  }
  return (
    <Dialog
      onClose={onClose}
      title="Dismiss this recommendation"
      description="This advice about this function will not be repeated for this service."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Reason"
          name="reason"
          required
          maxLength={limits.feedbackReasonLengthMax}
          placeholder="Runs once a day"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions
          label="Dismiss"
          variant="primary"
          isDisabled={reason.trim() === ""}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
