import type { Alert } from "@flamekeep/contract";
import { profileTypeLabel } from "#format/names.ts";
import { percentText } from "#format/number.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { useExpect } from "./use-handling.ts";

interface ExpectDialogProps {
  readonly alert: Alert;
  readonly onClose: () => void;
}

/** Asks before an alert is marked as expected. */
export function ExpectDialog({ alert, onClose }: ExpectDialogProps) {
  const expecting = useExpect(alert, onClose);
  const series = `${profileTypeLabel(alert.profile_type)} of ${alert.service}`;
  return (
    <ConfirmDialog
      title="Mark as expected?"
      description={`${series} is up ${percentText(alert.percent_change)}. The alert resolves, and the next one compares with the new level.`}
      action="Mark as expected"
      failure="Failed to mark the alert as expected"
      send={() => expecting.mutateAsync()}
      onClose={onClose}
    />
  );
}
