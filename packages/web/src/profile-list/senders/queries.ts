import { limits, listSenderInstances, listSenders } from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";

/** The state of one service; no entry if it sent nothing in the last days. */
export function senderQuery(service: string) {
  return callQuery(
    ["senders", "service", service],
    listSenders,
    { query: { service } },
    { refetchInterval: refreshSteps.listMs },
  );
}

export interface SenderFilter {
  readonly q?: string | undefined;
  readonly service?: string | undefined;
  readonly problems?: 1 | undefined;
  readonly cursor?: string | undefined;
}

export function sendersQuery({ problems, ...filter }: SenderFilter) {
  const query = {
    ...filter,
    limit: String(limits.sendersListLimit),
    problems: problems === undefined ? undefined : "true",
  };
  return callQuery(
    ["senders", "page", query],
    listSenders,
    { query },
    { refetchInterval: refreshSteps.listMs, placeholderData: keepPreviousData },
  );
}

export function senderInstancesQuery(service: string) {
  return callQuery(
    ["senders", "instances", service],
    listSenderInstances,
    { params: { service } },
    { refetchInterval: refreshSteps.listMs },
  );
}
