import type { AlertChannel } from "@flamekeep/contract";
import { serverText } from "#api/reply.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { formOf, removalOf } from "./model.ts";
import { useSettingsChange } from "./use-settings-change.ts";

interface RemoveChannelDialogProps {
  readonly channel: AlertChannel;
  readonly onClose: () => void;
}

export function RemoveChannelDialog({ channel, onClose }: RemoveChannelDialogProps) {
  const { title, inText } = formOf(channel);
  const removal = useSettingsChange(`${title} is removed`, onClose);
  return (
    <ConfirmDialog
      title={`Remove ${inText}?`}
      description="Alerts are no longer sent there. The stored address or key is deleted."
      action="Remove"
      isPending={removal.isPending}
      failure={removal.error ? serverText(removal.error, "Failed to save alert delivery") : undefined}
      onConfirm={() => removal.mutate(removalOf(channel))}
      onClose={onClose}
    />
  );
}
