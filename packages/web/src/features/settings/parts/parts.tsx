import { limits } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { ReadOnlyNote } from "#layout/read-only-note.tsx";
import { useMayChange } from "#session/session.ts";
import { Field } from "#ui/controls/field.tsx";
import { useForm } from "#ui/controls/form-problems.tsx";
import { FormDialog } from "#ui/overlays/form-dialog.tsx";
import { allServicesQuery } from "./queries.ts";

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

/** The name of a service, completed from those that have data. */
export function ServiceField(props: Omit<ComponentProps<typeof Field>, "label">) {
  const services = useQuery(allServicesQuery).data?.services ?? [];
  return (
    <div className="flex flex-col">
      <Field
        label="Service"
        list="known-services"
        placeholder="checkout"
        autoComplete="off"
        maxLength={limits.serviceNameLengthMax}
        {...props}
      />
      <datalist id="known-services">
        {services.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
