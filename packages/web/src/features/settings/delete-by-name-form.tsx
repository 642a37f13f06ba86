import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { DialogForm } from "#ui/overlays/form-dialog.tsx";

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
export function DeleteByNameForm<Reply>(props: DeleteByNameFormProps<Reply>) {
  const { name, what, remove, onDeleted, onCancel } = props;
  const form = useForm({
    initial: () => ({ confirmation: "" }),
    check: ({ confirmation }) =>
      confirmation === name ? [] : [{ field: "confirmation", text: `Type ${name} to delete it` }],
    send: ({ confirmation }) => remove(confirmation),
    onSent: onDeleted,
  });
  return (
    <DialogForm
      form={form}
      action={`Delete ${what}`}
      pending="Deleting..."
      failure={`Failed to delete the ${what}`}
      variant="danger"
      onClose={onCancel}
    >
      <Field
        label={`Type ${name} to confirm`}
        autoComplete="off"
        spellCheck={false}
        {...form.field("confirmation")}
      />
    </DialogForm>
  );
}
