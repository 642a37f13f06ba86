import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { FormProblems } from "./form-problems.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly description: ReactNode;
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
        <FormProblems problems={[]} failure={props.failure} />
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={props.onClose}>
            Cancel
          </Button>
          <Button variant="danger" disabled={props.isPending} onClick={props.onConfirm}>
            {props.action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
