import { type NamedType, namedTypeOf, partsOf } from "./profile-type-ids.ts";
import type { SeriesRow } from "./queries.ts";
import type { Matcher } from "./selector.ts";

export const serviceLabel = "service_name";

/** Labels that Pyroscope makes of the type of a profile. */
export function typeLabels(named: NamedType): ReadonlyMap<string, string> {
  const { ID, name, sampleType, sampleUnit, periodType, periodUnit } = partsOf(named);
  return new Map([
    ["__name__", name],
    ["__period_type__", periodType],
    ["__period_unit__", periodUnit],
    ["__profile_type__", ID],
    ["__type__", sampleType],
    ["__unit__", sampleUnit],
  ]);
}

/** The labels of each sample type of a row: those of its type, its service and its tags. */
export function* labelSetsOf(row: SeriesRow): Generator<ReadonlyMap<string, string>> {
  const tags = row.tagNames.map((name, at) => [name, row.tagValues[at]!] as const);
  for (const sampleType of row.sampleTypes) {
    const named = namedTypeOf(row.type, row.sampleTypes, sampleType);
    if (named === undefined) continue;
    yield new Map([...tags, ...typeLabels(named), [serviceLabel, row.service]]);
  }
}

export function matchesAll(matchers: readonly Matcher[], labels: ReadonlyMap<string, string>): boolean {
  return matchers.every((matcher) => matcher.matches(labels.get(matcher.name) ?? ""));
}

/** A set matches a list of selectors if it matches one of them. */
export function matchesAny(
  selectors: readonly (readonly Matcher[])[],
  labels: ReadonlyMap<string, string>,
): boolean {
  return selectors.some((matchers) => matchesAll(matchers, labels));
}
