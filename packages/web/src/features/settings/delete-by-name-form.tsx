import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { serverText } from "#api/reply.ts";
import { Field } from "#ui/controls/field.tsx";
import { FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { DialogActions } from "#ui/overlays/dialog-actions.tsx";

interface DeleteByNameFormProps<Reply> {
  /** The person types it to confirm. */
  readonly name: string;
  /** Names the kind of thing on the button, for example "service". */
  readonly what: string;
  readonly remove: (confirmation: string) => Promise<Reply>;
  readonly onDeleted: (reply: Reply) => unknown;
  readonly onCancel: () => void;
}

/** Asks for the name of something that cannot be restored, and deletes it. */
export function DeleteByNameForm<Reply>({
  name,
  what,
  remove,
  onDeleted,
  onCancel,
}: DeleteByNameFormProps<Reply>) {
  const [confirmation, setConfirmation] = useState("");
  const deletion = useMutation({ mutationFn: () => remove(confirmation), onSuccess: onDeleted });
  const form = useCheckedForm(
    () => (confirmation === name ? [] : [{ field: "confirmation", text: `Type ${name} to delete it` }]),
    () => deletion.mutate(),
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems
        problems={form.problems}
        failure={deletion.error ? serverText(deletion.error, `Failed to delete the ${what}`) : undefined}
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
        label={deletion.isPending ? "Deleting..." : `Delete ${what}`}
        variant="danger"
        isDisabled={deletion.isPending}
        onCancel={onCancel}
      />
    </form>
  );
}
