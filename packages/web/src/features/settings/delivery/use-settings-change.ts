import { updateAlertSettings } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { alertSettingsQuery } from "#settings/queries.ts";
import { showToast } from "#ui/overlays/toast.ts";
import type { SettingsChange } from "./model.ts";

/** Changes where alerts are delivered. */
export function useSettingsChange(success: string, onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: SettingsChange) => call(updateAlertSettings, { body: change }),
    onSuccess(settings) {
      client.setQueryData(alertSettingsQuery.queryKey, settings);
      showToast(success);
      onSuccess();
    },
  });
}
