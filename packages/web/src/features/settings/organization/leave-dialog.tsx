import { leaveOrganization } from "@flamekeep/contract";
import { useMutation } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { useAfterLeaving } from "./use-after-leaving.ts";

interface LeaveDialogProps {
  readonly name: string;
  readonly onClose: () => void;
}

export function LeaveDialog({ name, onClose }: LeaveDialogProps) {
  const goOn = useAfterLeaving();
  const leaving = useMutation({ mutationFn: () => call(leaveOrganization), onSuccess: goOn });
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      description="Your sessions in it end. You need a new invitation to come back."
      action="Leave"
      isPending={leaving.isPending}
      failure={leaving.error ? serverText(leaving.error, "Failed to leave the organization") : undefined}
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    />
  );
}
