import { type ApiKey, revokeApiKey } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const client = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => call(revokeApiKey, { params: { id: apiKey.id } }),
    onSuccess: async () => {
      showToast(`${apiKey.name} is revoked`);
      onClose();
      await client.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      description="Programs that send profiles with this key are refused from now on. A revoked key cannot be restored."
      action="Revoke key"
      isPending={revocation.isPending}
      failure={revocation.error ? serverText(revocation.error, "Failed to revoke API key") : undefined}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    />
  );
}
