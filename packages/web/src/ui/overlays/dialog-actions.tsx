import { Button } from "#ui/controls/button.tsx";

interface DialogActionsProps {
  readonly label: string;
  readonly onCancel: () => void;
  readonly isDisabled?: boolean;
  /** `danger` where something is removed. */
  readonly variant?: "primary" | "danger";
  /** Left out in a form, which the button then submits. */
  readonly onAct?: () => void;
}

/** The last row of a dialog: Cancel and its action. */
export function DialogActions({
  label,
  onCancel,
  isDisabled = false,
  variant = "primary",
  onAct,
}: DialogActionsProps) {
  return (
    <div className="flex justify-end gap-2">
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type={onAct === undefined ? "submit" : "button"}
        variant={variant}
        disabled={isDisabled}
        onClick={onAct}
      >
        {label}
      </Button>
    </div>
  );
}
