import { limits, listAlertRules, previewAlertRule, type RequestOf, serviceSeries } from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { queriesOfAlerts } from "#alert-list/queries.ts";
import { callQuery } from "#api/call-query.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";

export const rulesQuery = callQuery(
  ["alert-rules"],
  listAlertRules,
  {},
  { refetchInterval: refreshSteps.listMs },
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

/** The queries that a change of a rule concerns, which may have resolved its alert. */
export const queriesOfRules = [rulesQuery, ...queriesOfAlerts];
