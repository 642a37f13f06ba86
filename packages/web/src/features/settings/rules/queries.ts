import { limits, listAlertRules, previewAlertRule, type RequestOf, serviceSeries } from "@flamekeep/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

/** The server evaluates rules once a minute. */
const refreshIntervalMs = 15_000;

export const rulesQuery = queryOptions({
  queryKey: ["alert-rules"],
  queryFn: ({ signal }) => call(listAlertRules, { signal }),
  refetchInterval: refreshIntervalMs,
});

/** The sample types that a service sends. */
export function sampleTypesQuery(service: string) {
  return queryOptions({
    queryKey: ["rule-sample-types", service],
    queryFn: ({ signal }) =>
      call(serviceSeries, {
        params: { service, type: "all" },
        query: { from: `${limits.rulePreviewDays}d`, bucket: "4h" },
        signal,
      }),
    staleTime: 60_000,
  });
}

export type RuleCondition = RequestOf<typeof previewAlertRule>["body"];

/** The preview of a rule. Shows the one before while a changed one is read. */
export function previewQuery(condition: RuleCondition) {
  return queryOptions({
    queryKey: ["rule-preview", condition],
    queryFn: ({ signal }) => call(previewAlertRule, { body: condition, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
