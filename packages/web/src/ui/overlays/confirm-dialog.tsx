import { type QueryKey, useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, type RefObject, useRef } from "react";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { type Closable, Dialog } from "./dialog.tsx";
import { DialogActions, useFinish } from "./form-dialog.tsx";

interface ConfirmDialogProps<Reply> extends Closable {
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
  /** Says in a toast what was done, and closes the dialog. */
  readonly done?: (reply: Reply) => string;
  /** Gets the focus once it is done, where the button that opened the dialog is removed. */
  readonly focusAfter?: RefObject<HTMLElement | null>;
  /** The queries that are read again once it is done. */
  readonly stale?: readonly { readonly queryKey: QueryKey }[];
}

/** Asks before something is removed; stays open with the reason if it fails. */
export function ConfirmDialog<Reply>(props: ConfirmDialogProps<Reply>) {
  const { onSent, done, stale = [] } = props;
  const isDone = useRef(false);
  const finish = useFinish(props.onClose);
  const sending = useMutation({
    mutationFn: props.send,
    onSuccess(reply) {
      isDone.current = true;
      return done === undefined ? onSent?.(reply) : finish(done(reply), ...stale);
    },
  });
  const canConfirm = props.isReady !== false && !sending.isPending;
  function submit(event: FormEvent) {
    event.preventDefault();
    // React passes the event on to a form that renders this dialog.
    event.stopPropagation();
    if (canConfirm) sending.mutate();
  }
  return (
    <Dialog
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      finalFocus={() => (isDone.current ? (props.focusAfter?.current ?? null) : null)}
    >
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
