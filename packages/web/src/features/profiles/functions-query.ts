import { graphTypes, sharedFunctions } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

export type SharedType = Exclude<(typeof graphTypes)[number], "custom">;
export const sharedTypes = graphTypes.filter((type): type is SharedType => type !== "custom");

/** The listed functions, as the address names them. */
export interface Listing {
  readonly q: string;
  readonly scope: "libraries" | "all";
  readonly type: SharedType;
}

/** The functions of the last range and text stay while others load: not those of another type, whose costs have another unit. */
export function functionsQuery({ q, scope, type }: Listing, range: RangeQuery) {
  const subject = ["functions", "shared", scope, type] as const;
  return callQuery(
    [...subject, { ...range, q }],
    sharedFunctions,
    { query: { ...range, q, scope, type, ...(scope === "all" && { services_min: 1 }) } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}
