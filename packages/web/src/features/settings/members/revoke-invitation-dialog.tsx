import { type Invitation, revokeInvitation } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { invitationsQuery } from "#settings/queries.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface RevokeInvitationDialogProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

export function revokeLabel({ email }: Invitation): string {
  return email === null ? "Revoke the invitation link anyone can use" : `Revoke the invitation for ${email}`;
}

export function RevokeInvitationDialog({ invitation, onClose }: RevokeInvitationDialogProps) {
  const client = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => call(revokeInvitation, { params: { id: invitation.id } }),
    onSuccess: async () => {
      showToast("The invitation is revoked");
      onClose();
      await client.invalidateQueries(invitationsQuery);
    },
  });
  return (
    <ConfirmDialog
      title={`${revokeLabel(invitation)}?`}
      description="Its link stops working at once."
      action="Revoke invitation"
      isPending={revocation.isPending}
      failure={revocation.error ? serverText(revocation.error, "Failed to revoke the invitation") : undefined}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    />
  );
}
