import { type Alert, acknowledgeAlert, expectAlert } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { showToast } from "#ui/overlays/toast.ts";

function useAlertsAgain(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ["alerts"] });
    void client.invalidateQueries({ queryKey: ["status"] });
  };
}

/** Says that somebody works on an alert, or takes it back. */
export function useAcknowledge(alert: Alert): (isAcknowledged: boolean) => void {
  const readAgain = useAlertsAgain();
  const { mutate } = useMutation({
    mutationFn: (isAcknowledged: boolean) =>
      call(acknowledgeAlert, { params: { id: alert.id }, body: { is_acknowledged: isAcknowledged } }),
    onSuccess(_reply, isAcknowledged) {
      readAgain();
      const what = `${profileTypeLabel(alert.profile_type)} alert of ${alert.service}`;
      showToast(isAcknowledged ? `${what} acknowledged` : `${what} is no longer acknowledged`);
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
  return mutate;
}

/** Marks an alert as expected, which resolves it. */
export function useExpect(alert: Alert, onSuccess: () => void) {
  const readAgain = useAlertsAgain();
  return useMutation({
    mutationFn: () => call(expectAlert, { params: { id: alert.id }, body: { is_expected: true } }),
    onSuccess() {
      readAgain();
      showToast(`${profileTypeLabel(alert.profile_type)} alert of ${alert.service} is expected`);
      onSuccess();
    },
  });
}

/** The alert stays resolved; its series is compared as if nobody had marked it as expected. */
export function useTakeBackExpected(alert: Alert): () => void {
  const readAgain = useAlertsAgain();
  const { mutate } = useMutation({
    mutationFn: () => call(expectAlert, { params: { id: alert.id }, body: { is_expected: false } }),
    onSuccess() {
      readAgain();
      showToast(
        `${profileTypeLabel(alert.profile_type)} of ${alert.service} is compared with the level before again`,
      );
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
  return mutate;
}
