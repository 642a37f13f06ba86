import { type AlertSettings, updateAlertSettings } from "@flamekeep/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { alertSettingsQuery } from "#settings/queries.ts";
import { showToast } from "#ui/overlays/toast.ts";
import type { SettingsChange } from "./model.ts";

/** Shows the settings that were saved. */
export function useSettingsSaved(success: string, onSaved: () => void) {
  const client = useQueryClient();
  return (settings: AlertSettings) => {
    client.setQueryData(alertSettingsQuery.queryKey, settings);
    showToast(success);
    onSaved();
  };
}

/** Changes where alerts are delivered. */
export function useSettingsChange(success: string, onSaved: () => void) {
  return useMutation({
    mutationFn: (change: SettingsChange) => call(updateAlertSettings, { body: change }),
    onSuccess: useSettingsSaved(success, onSaved),
  });
}
