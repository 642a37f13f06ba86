import { limits, sharedFunctions } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

/** Functions of the services of a project: those of their own code, or the library functions that at least two of them call. */
export function functionsQuery(project: string, scope: "all" | "libraries", range: RangeQuery) {
  const subject = ["projects", project, "functions", scope] as const;
  const filter =
    scope === "all" ? { services_min: 1, limit: limits.functionsMax } : { services_min: 2, limit: 8 };
  return callQuery(
    [...subject, range],
    sharedFunctions,
    { query: { ...range, ...filter, type: "cpu", scope, project } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}
