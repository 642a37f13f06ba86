import { limits } from "@flamekeep/contract/limits";
import { invalid } from "#failure";

/** Labels that samples must have, as two parallel lists for the column store. Empty lists match every sample. */
export interface LabelFilter {
  readonly labelNames: string[];
  /** An empty value matches samples without the label. */
  readonly labelValues: string[];
}

/**
 * Reads `handler:/checkout`; `handler:` is for samples without the label. Throws `invalid` with the accepted form, or if a label has
 * two values: no sample has both.
 *
 * @param parameter the name of the query parameter, for texts
 */
export function labelFilterOf(
  given: string | readonly string[] | undefined,
  parameter = "labels",
): LabelFilter {
  const texts = given === undefined ? [] : typeof given === "string" ? [given] : given;
  if (texts.length > limits.labelFiltersMax)
    throw invalid(`Query parameter ${parameter} may be given ${limits.labelFiltersMax} times at most`);
  const values = new Map<string, string>();
  for (const text of texts) {
    const colon = text.indexOf(":");
    if (colon <= 0) {
      throw invalid(`Query parameter ${parameter} must be NAME:VALUE, such as handler:/checkout`);
    }
    const [name, value] = [text.slice(0, colon), text.slice(colon + 1)];
    if ((values.get(name) ?? value) !== value) {
      throw invalid(`Query parameter ${parameter} has two values for ${name}: a sample has one`);
    }
    values.set(name, value);
  }
  return { labelNames: [...values.keys()], labelValues: [...values.values()] };
}

export function hasLabels(filter: LabelFilter | undefined): filter is LabelFilter {
  return filter !== undefined && filter.labelNames.length > 0;
}

/** The filter as names and values, for replies. */
export function labelsOf({ labelNames, labelValues }: LabelFilter): Record<string, string> {
  return Object.fromEntries(labelNames.map((name, index) => [name, labelValues[index]!]));
}
