import type { Call, ReplyOf } from "@flamekeep/contract";
import type { DataTag, QueryFunction, QueryKey, UseQueryOptions } from "@tanstack/react-query";
import { type CallRequest, call } from "./call.ts";

type Settings<Data, K extends QueryKey> = Pick<
  UseQueryOptions<Data, Error, Data, K>,
  "enabled" | "placeholderData" | "refetchInterval" | "retry" | "staleTime"
>;

export interface CallQuery<Data, K extends QueryKey> extends Settings<Data, K> {
  readonly queryKey: DataTag<K, Data>;
  readonly queryFn: QueryFunction<Data, K>;
}

/** A query whose data is the reply of a call. */
export function callQuery<C extends Call, const K extends QueryKey>(
  queryKey: K,
  endpoint: C,
  request: Omit<CallRequest<C>, "signal"> = {},
  settings: Settings<ReplyOf<C>, K> = {},
): CallQuery<ReplyOf<C>, K> {
  return {
    ...settings,
    queryKey: queryKey as DataTag<K, ReplyOf<C>>,
    queryFn: ({ signal }) => call(endpoint, { ...request, signal }),
  };
}
