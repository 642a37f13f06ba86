import type { FormEvent, ReactNode } from "react";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  /** Choices above the buttons. */
  readonly children?: ReactNode;
  readonly action: string;
  readonly isPending: boolean;
  /** Whether all choices are made; default true. */
  readonly isReady?: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is removed; stays open with the reason if it fails. */
export function ConfirmDialog({ isReady = true, ...props }: ConfirmDialogProps) {
  const canConfirm = isReady && !props.isPending;
  function submit(event: FormEvent) {
    event.preventDefault();
    // React passes the event on to a form that renders this dialog.
    event.stopPropagation();
    if (canConfirm) props.onConfirm();
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title={props.title}
      description={props.description}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        {props.children}
        <FormProblems problems={[]} failure={props.failure} />
        <DialogActions
          label={props.action}
          variant="danger"
          isDisabled={!canConfirm}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  );
}
