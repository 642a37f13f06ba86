import { type AlertRule, updateAlertRule } from "@flamekeep/contract";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { showToast } from "#ui/overlays/toast.ts";
import { bodyOf } from "./model.ts";
import { rulesQuery } from "./queries.ts";

/** After a change of a rule, which may have resolved its alert. */
export function refreshRules(client: QueryClient): void {
  void client.invalidateQueries(rulesQuery);
  void client.invalidateQueries({ queryKey: ["alerts"] });
  void client.invalidateQueries({ queryKey: ["status"] });
}

export function useSwitchRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rule: AlertRule) =>
      call(updateAlertRule, {
        params: { id: rule.id },
        body: { ...bodyOf(rule), is_enabled: !rule.is_enabled },
      }),
    onSuccess({ rule }) {
      refreshRules(client);
      showToast(`${rule.name} is switched ${rule.is_enabled ? "on" : "off"}`);
    },
    onError: (error) => showToast(`Nothing was changed. ${error.message}`, "critical"),
  });
}
