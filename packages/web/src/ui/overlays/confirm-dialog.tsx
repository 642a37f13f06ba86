import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./form-dialog.tsx";

interface ConfirmDialogProps<Reply> {
  readonly title: string;
  readonly description: ReactNode;
  /** Choices above the buttons. */
  readonly children?: ReactNode;
  readonly action: string;
  /** Whether all choices are made; default true. */
  readonly isReady?: boolean;
  /** The text where the server did not say why it refused. */
  readonly failure: string;
  readonly send: () => Promise<Reply>;
  readonly onSent?: (reply: Reply) => unknown;
  readonly onClose: () => void;
}

/** Asks before something is removed; stays open with the reason if it fails. */
export function ConfirmDialog<Reply>(props: ConfirmDialogProps<Reply>) {
  const sending = useMutation({ mutationFn: props.send, onSuccess: (reply) => props.onSent?.(reply) });
  const canConfirm = props.isReady !== false && !sending.isPending;
  function submit(event: FormEvent) {
    event.preventDefault();
    // React passes the event on to a form that renders this dialog.
    event.stopPropagation();
    if (canConfirm) sending.mutate();
  }
  return (
    <Dialog onClose={props.onClose} title={props.title} description={props.description}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        {props.children}
        <FormProblems error={sending.error} failure={props.failure} />
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
