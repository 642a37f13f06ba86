import { type ApiKey, revokeApiKey } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { showToast } from "#ui/overlays/toast.tsx";

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
    <Dialog
      isOpen
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke ${apiKey.name}?`}
      description="Programs that send profiles with this key are refused from now on. A revoked key cannot be restored."
    >
      {revocation.isError && (
        <p role="alert" className="mb-4 text-critical-text">
          {serverText(revocation.error, "Failed to revoke API key")}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" disabled={revocation.isPending} onClick={() => revocation.mutate()}>
          Revoke key
        </Button>
      </div>
    </Dialog>
  );
}
