import {
  type AlertRule,
  limits,
  listAlertRules,
  previewAlertRule,
  type RequestOf,
  serviceSeries,
  updateAlertRule,
} from "@flamekeep/contract";
import { keepPreviousData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { showToast } from "#ui/overlays/toast.ts";
import { bodyOf } from "./model.ts";

/** The server evaluates rules once a minute. */
const refreshIntervalMs = 15_000;

export const rulesQuery = callQuery(
  ["alert-rules"],
  listAlertRules,
  {},
  { refetchInterval: refreshIntervalMs },
);

/** The sample types that a service sends. */
export function sampleTypesQuery(service: string) {
  return callQuery(
    ["rule-sample-types", service],
    serviceSeries,
    {
      params: { service, type: "all" },
      query: { from: `${limits.rulePreviewDays}d`, bucket: "4h" },
    },
    { staleTime: 60_000 },
  );
}

export type RuleCondition = RequestOf<typeof previewAlertRule>["body"];

/** The preview of a rule. Shows the one before while a changed one is read. */
export function previewQuery(condition: RuleCondition) {
  return callQuery(
    ["rule-preview", condition],
    previewAlertRule,
    { body: condition },
    { placeholderData: keepPreviousData, staleTime: 60_000 },
  );
}

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
