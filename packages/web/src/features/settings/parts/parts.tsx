import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { Select } from "#ui/controls/select.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";

interface DeleteByNameDialogProps<Reply> {
  /** The person types it to confirm. */
  readonly name: string;
  /** Names the kind of thing on the button, for example "service". */
  readonly what: string;
  readonly description: string;
  readonly remove: (confirmation: string) => Promise<Reply>;
  readonly onDeleted: (reply: Reply) => unknown;
  readonly onClose: () => void;
}

/** Asks for the name of something that cannot be restored, and deletes it. */
export function DeleteByNameDialog<Reply>(props: DeleteByNameDialogProps<Reply>) {
  const { name, what, description, remove, onDeleted, onClose } = props;
  const form = useForm({
    initial: () => ({ confirmation: "" }),
    check: ({ confirmation }) =>
      confirmation === name ? [] : [{ field: "confirmation", text: `Type ${name} to delete it` }],
    send: ({ confirmation }) => remove(confirmation),
    onSent: onDeleted,
  });
  return (
    <FormDialog
      form={form}
      title={`Delete ${name}?`}
      description={description}
      action={`Delete ${what}`}
      pending="Deleting..."
      failure={`Failed to delete the ${what}`}
      variant="danger"
      onClose={onClose}
    >
      <Field
        label={`Type ${name} to confirm`}
        autoComplete="off"
        spellCheck={false}
        {...form.field("confirmation")}
      />
    </FormDialog>
  );
}

/** Replaces buttons that only admins have. */
export function AdminNote() {
  // Members change other things, so the general note would mislead them.
  if (!useMayChange()) return <ReadOnlyNote />;
  return <p className="text-label text-muted">Only admins can change this.</p>;
}

interface LabelledSelectProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

/** A select under its name, as a field of a form. */
export function LabelledSelect<V extends string>(props: LabelledSelectProps<V>) {
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-body">
        {props.label}
      </span>
      <Select {...props} className="w-full" />
    </div>
  );
}
