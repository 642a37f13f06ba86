import type { ReactNode } from "react";
import { FormProblems } from "#ui/controls/form-problems.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  /** Choices above the buttons. */
  readonly children?: ReactNode;
  readonly action: string;
  readonly isPending: boolean;
  readonly failure: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is removed; stays open with the reason if it fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(open) => !open && props.onClose()}
      title={props.title}
      description={props.description}
    >
      <div className="flex flex-col gap-4">
        {props.children}
        <FormProblems problems={[]} failure={props.failure} />
        <DialogActions
          label={props.action}
          variant="danger"
          isDisabled={props.isPending}
          onAct={props.onConfirm}
          onCancel={props.onClose}
        />
      </div>
    </Dialog>
  );
}
