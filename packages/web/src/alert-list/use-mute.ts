import { type Alert, muteAlerts, unmuteAlerts } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { showToast, showUndoToast } from "#ui/overlays/toast.tsx";

type AlertSeries = Pick<Alert, "service" | "profile_type">;

interface Change {
  readonly series: AlertSeries;
  readonly isMuted: boolean;
}

/** Mutes and unmutes the alerts of one profile type of a service. The toast takes it back. */
export function useMute(): (series: AlertSeries, isMuted: boolean) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ series, isMuted }: Change) =>
      call(isMuted ? muteAlerts : unmuteAlerts, {
        body: { service: series.service, type: series.profile_type },
      }),
    onSuccess(_, change) {
      void client.invalidateQueries({ queryKey: ["alerts"] });
      void client.invalidateQueries({ queryKey: ["status"] });
      const { series, isMuted } = change;
      const alerts = `${profileTypeLabel(series.profile_type)} alerts of ${series.service}`;
      showUndoToast(`${alerts} ${isMuted ? "muted" : "unmuted"}`, () =>
        mutate({ series, isMuted: !isMuted }),
      );
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
  return (series, isMuted) => mutate({ series, isMuted });
}
