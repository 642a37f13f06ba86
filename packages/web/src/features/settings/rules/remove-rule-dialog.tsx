import { type AlertRule, removeAlertRule } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { refreshRules } from "./use-rule-change.ts";

interface RemoveRuleDialogProps {
  readonly rule: AlertRule;
  readonly onClose: () => void;
}

export function RemoveRuleDialog({ rule, onClose }: RemoveRuleDialogProps) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: () => call(removeAlertRule, { params: { id: rule.id } }),
    onSuccess() {
      refreshRules(client);
      showToast(`${rule.name} is deleted`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${rule.name}?`}
      description={
        rule.is_firing
          ? "Its open alert is resolved. Its alerts stay in the list."
          : "It opens no more alerts. Its earlier alerts stay in the list."
      }
      action="Delete"
      isPending={removal.isPending}
      failure={removal.error ? serverText(removal.error, "Failed to delete the rule") : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
