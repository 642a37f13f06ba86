import { type Alert, type AlertMute, muteAlerts, unmuteAlerts } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { profileTypeLabel } from "#format/names.ts";
import { showToast, showUndoToast } from "#ui/overlays/toast.ts";
import { mutesQuery, queriesOfAlerts } from "./queries.ts";

type AlertSeries = Pick<Alert, "service" | "profile_type">;

interface Change {
  readonly series: AlertSeries;
  readonly isMuted: boolean;
  /** End of the mute; null if it lasts until it is unmuted. */
  readonly until: string | null;
}

function send({ series, isMuted, until }: Change) {
  const body = { service: series.service, type: series.profile_type };
  return isMuted ? call(muteAlerts, { body: { ...body, until } }) : call(unmuteAlerts, { body });
}

/** Mutes and unmutes the alerts of one profile type of a service. The toast takes it back. */
export function useMute(): (series: AlertSeries, isMuted: boolean, until?: string | null) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: send,
    onMutate: ({ series }): AlertMute | undefined =>
      client
        .getQueryData(mutesQuery.queryKey)
        ?.muted.find(
          ({ service, type, tags, schedule }) =>
            !tags && !schedule && service === series.service && type === series.profile_type,
        ),
    onSuccess(reply, { series, isMuted }, before) {
      client.setQueryData(mutesQuery.queryKey, reply);
      for (const { queryKey } of queriesOfAlerts) void client.invalidateQueries({ queryKey });
      const alerts = `${profileTypeLabel(series.profile_type)} alerts of ${series.service}`;
      showUndoToast(`${alerts} ${isMuted ? "muted" : "unmuted"}`, () =>
        mutate({ series, isMuted: !isMuted || before !== undefined, until: before?.until ?? null }),
      );
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
  return (series, isMuted, until = null) => mutate({ series, isMuted, until });
}
