import { type AccountSession, endSession, endSessions } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { announceLogout } from "#session/session.ts";
import { sessionsQuery } from "#settings/queries.ts";
import { ConfirmDialog } from "#ui/overlays/confirm-dialog.tsx";
import { showToast } from "#ui/overlays/toast.ts";

interface EndSessionDialogProps {
  readonly session: AccountSession;
  readonly onClose: () => void;
}

export function EndSessionDialog({ session, onClose }: EndSessionDialogProps) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => call(endSession, { params: { id: session.id } }),
    onSuccess: async () => {
      showToast(`The session of ${session.device} has ended`);
      onClose();
      await client.invalidateQueries(sessionsQuery);
    },
  });
  return (
    <ConfirmDialog
      title={`End the session of ${session.device}?`}
      description="That browser has to sign in again."
      action="End session"
      isPending={ending.isPending}
      failure={ending.error ? serverText(ending.error, "Failed to end the session") : undefined}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  );
}

export function SignOutEverywhereDialog({ onClose }: { readonly onClose: () => void }) {
  const ending = useMutation({
    mutationFn: () => call(endSessions),
    onSuccess: announceLogout,
  });
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      description="Ends all of your sessions, this one included. API keys go on working."
      action="Sign out everywhere"
      isPending={ending.isPending}
      failure={ending.error ? serverText(ending.error, "Failed to end the sessions") : undefined}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  );
}
