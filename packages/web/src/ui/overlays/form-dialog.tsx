import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { FormProblems, type SentForm } from "#ui/controls/form-problems.tsx";
import { Dialog } from "./dialog.tsx";
import { showToast } from "./toast.ts";

interface DialogFormProps {
  readonly form: SentForm;
  /** The text of the button that sends the form, and its text while the form is being sent. */
  readonly action: string;
  readonly pending: string;
  /** The text where the server did not say why it refused. */
  readonly failure: string;
  /** `danger` where something is removed. */
  readonly variant?: "primary" | "danger";
  /** False while the form cannot be sent. */
  readonly isReady?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

type FormDialogProps = DialogFormProps &
  Pick<ComponentProps<typeof Dialog>, "title" | "description" | "size"> & {
    /** Shown above the form. */
    readonly lead?: ReactNode;
  };

/** A dialog that is open as long as it is rendered, with a form whose state is `useForm`. */
export function FormDialog({ title, description, size, lead, ...form }: FormDialogProps) {
  const { onClose } = form;
  return (
    <Dialog onClose={onClose} title={title} description={description} {...(size && { size })}>
      {lead}
      <DialogForm {...form} />
    </Dialog>
  );
}

/** The form of a dialog: what is wrong with it, its fields, Cancel, and the button that sends it. */
export function DialogForm(props: DialogFormProps) {
  const { form, action, pending, failure, variant = "primary", isReady = true, onClose, children } = props;
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <FormProblems problems={form.problems} error={form.error} failure={failure} />
      {children}
      <DialogActions
        label={form.isPending ? pending : action}
        variant={variant}
        isDisabled={form.isPending || !isReady}
        onCancel={onClose}
      />
    </form>
  );
}

/** Ends a dialog whose change is stored: a toast says so, and the queries that it concerns are read again. */
export function useFinish(onClose: () => void) {
  const client = useQueryClient();
  return async (text: string, ...stale: readonly { readonly queryKey: QueryKey }[]) => {
    showToast(text);
    onClose();
    await Promise.all(stale.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  };
}

interface DialogActionsProps {
  readonly label: string;
  readonly onCancel: () => void;
  readonly isDisabled: boolean;
  readonly variant: "primary" | "danger";
}

/** The last row of a form in a dialog: Cancel, and the button that submits it. */
export function DialogActions({ label, onCancel, isDisabled, variant }: DialogActionsProps) {
  return (
    <div className="flex justify-end gap-2">
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" variant={variant} disabled={isDisabled}>
        {label}
      </Button>
    </div>
  );
}
