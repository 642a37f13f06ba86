import { type AnalysisCategory, type Finding, limits } from "@flamekeep/contract";
import { oneOf, type SearchOf, text, textLike } from "#url/search.ts";

export const categories = [
  "cpu_optimization",
  "memory_optimization",
  "goroutine_optimization",
  "mutex_optimization",
  "other",
] as const satisfies readonly AnalysisCategory[];

export const states = [
  "open",
  "accepted",
  "done",
  "dismissed",
] as const satisfies readonly Finding["state"][];

/** The filters of the findings in the URL. */
export const findingsSearch = {
  service: text({ min: 1, max: limits.serviceNameLengthMax }),
  category: oneOf(...categories),
  state: oneOf(...states, "all"),
  /** The id of a member, or `none`. */
  owner: textLike(/^(none|[0-9a-f-]{36})$/),
  after: textLike(/^[\w-]{1,300}$/),
};
export type FindingsSearch = SearchOf<typeof findingsSearch>;
