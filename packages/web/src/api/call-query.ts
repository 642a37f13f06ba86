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
  return dataQuery(queryKey, ({ signal }) => call(endpoint, { ...request, signal }), settings);
}

/** A query whose data is made of the replies of several calls. */
export function dataQuery<Data, const K extends QueryKey>(
  queryKey: K,
  queryFn: QueryFunction<Data, K>,
  settings: Settings<Data, K> = {},
): CallQuery<Data, K> {
  return { ...settings, queryKey: queryKey as DataTag<K, Data>, queryFn };
}

/** All pages of a list. */
export async function allPages<Page extends { readonly next_cursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<[Page, ...Page[]]> {
  const pages: [Page, ...Page[]] = [await read(undefined)];
  for (let cursor = pages[0].next_cursor; cursor !== null; cursor = pages.at(-1)!.next_cursor)
    pages.push(await read(cursor));
  return pages;
}
