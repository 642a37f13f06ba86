import { listFindings } from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import type { FindingsSearch } from "./search.ts";

/** Changes of findings invalidate the key `findings`. */
export const findingsKey = ["findings"] as const;

export function findingsQuery({ after, ...filter }: FindingsSearch) {
  const query = { ...filter, ...(after !== undefined && { cursor: after }) };
  return callQuery([...findingsKey, query], listFindings, { query }, { placeholderData: keepPreviousData });
}
