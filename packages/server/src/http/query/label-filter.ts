import { limits } from "@flamekeep/contract";
import { invalid } from "#failure";

/** Labels that samples must have, as two parallel lists for the column store. Empty lists match every sample. */
export interface LabelFilter {
  readonly labelNames: string[];
  /** An empty value matches samples without the label. */
  readonly labelValues: string[];
}

/** Reads `handler:/checkout`; `handler:` is for samples without the label. Throws `invalid` with the accepted form. */
export function labelFilterOf(given: string | readonly string[] | undefined): LabelFilter {
  const texts = given === undefined ? [] : typeof given === "string" ? [given] : given;
  if (texts.length > limits.labelFiltersMax)
    throw invalid(`Query parameter labels may be given ${limits.labelFiltersMax} times at most`);
  const pairs = texts.map((text) => {
    const colon = text.indexOf(":");
    if (colon > 0) return { name: text.slice(0, colon), value: text.slice(colon + 1) };
    throw invalid("Query parameter labels must be NAME:VALUE, such as handler:/checkout");
  });
  return { labelNames: pairs.map(({ name }) => name), labelValues: pairs.map(({ value }) => value) };
}

export function hasLabels(filter: LabelFilter | undefined): filter is LabelFilter {
  return filter !== undefined && filter.labelNames.length > 0;
}

/** The filter as names and values, for replies. */
export function labelsOf({ labelNames, labelValues }: LabelFilter): Record<string, string> {
  return Object.fromEntries(labelNames.map((name, index) => [name, labelValues[index]!]));
}
