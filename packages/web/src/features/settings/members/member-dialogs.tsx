import { type Member, removeMember, transferOrganization } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { membersQuery } from "#session/members-query.ts";
import { accountQuery } from "#settings/queries.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface MemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: () => call(removeMember, { params: { id: member.id } }),
    onSuccess: async () => {
      showToast(`${member.name} is removed`);
      onClose();
      await client.invalidateQueries(membersQuery);
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      description="Their sessions in this organization end at once. API keys that they made go on working."
      action="Remove"
      isPending={removal.isPending}
      failure={removal.error ? serverText(removal.error, "Failed to remove the member") : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}

export function TransferDialog({ member, onClose }: MemberDialogProps) {
  const client = useQueryClient();
  const transfer = useMutation({
    mutationFn: () => call(transferOrganization, { params: { id: member.id } }),
    onSuccess: async () => {
      showToast(`${member.name} is admin now`);
      onClose();
      await Promise.all([client.invalidateQueries(membersQuery), client.invalidateQueries(accountQuery)]);
    },
  });
  return (
    <ConfirmDialog
      title={`Hand the organization over to ${member.name}?`}
      description="They become an admin, and you become a member: you cannot take it back yourself."
      action="Hand over"
      isPending={transfer.isPending}
      failure={
        transfer.error ? serverText(transfer.error, "Failed to hand the organization over") : undefined
      }
      onConfirm={() => transfer.mutate()}
      onClose={onClose}
    />
  );
}
