import { acknowledgeIncident, assignIncident, type Incident } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { showToast } from "#ui/overlays/toast.ts";

type IncidentId = Pick<Incident, "id" | "service">;

export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["alerts"] });
}

function showFailure(error: Error): void {
  showToast(`Nothing was changed. ${error.message}`, "critical");
}

/** Says that somebody works on an incident, or takes it back. */
export function useAcknowledgeIncident({ id, service }: IncidentId) {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (isAcknowledged: boolean) =>
      call(acknowledgeIncident, { params: { id }, body: { is_acknowledged: isAcknowledged } }),
    onSuccess(_reply, isAcknowledged) {
      showToast(
        isAcknowledged
          ? `Incident of ${service} acknowledged`
          : `Incident of ${service} is no longer acknowledged`,
      );
      return readAgain();
    },
    onError: showFailure,
  });
}

/** Assigns an incident to a member; null: to nobody. */
export function useAssignIncident({ id, service }: IncidentId): (userId: string | null) => void {
  const readAgain = useReadAgain();
  const { mutate } = useMutation({
    mutationFn: (userId: string | null) =>
      call(assignIncident, { params: { id }, body: { user_id: userId } }),
    onSuccess({ incident: { assignee } }) {
      showToast(`Incident of ${service} is assigned to ${assignee?.name ?? "nobody"}`);
      return readAgain();
    },
    onError: showFailure,
  });
  return mutate;
}
