import { Button } from "#ui/controls/button.tsx";

interface DialogActionsProps {
  readonly label: string;
  readonly onCancel: () => void;
  readonly isDisabled?: boolean;
  /** `danger` where something is removed. */
  readonly variant?: "primary" | "danger";
}

/** The last row of a form in a dialog: Cancel, and the button that submits it. */
export function DialogActions({
  label,
  onCancel,
  isDisabled = false,
  variant = "primary",
}: DialogActionsProps) {
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
