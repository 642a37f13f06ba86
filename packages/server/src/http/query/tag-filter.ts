import { invalid } from "#failure";

/** Tags that a profile must have, as two parallel lists for the column store. Empty lists match every profile. */
export interface TagFilter {
  readonly tagNames: string[];
  readonly tagValues: string[];
}

/** Tags that a profile must have, each with the values that it may have: the empty value is for profiles without the tag. */
export interface TagChoices {
  readonly tagNames: string[];
  readonly tagValues: string[][];
}

/** The one value that a filter has for each tag. */
export function choicesOf({ tagNames, tagValues }: TagFilter): TagChoices {
  return { tagNames, tagValues: tagValues.map((value) => [value]) };
}

const prefix = "tag.";
const tagsMax = 20;

/** Reads `tag.region=eu` and `tags=region:eu` from the query. Throws `invalid` with the accepted form. */
export function tagFilterOf(query: Readonly<Record<string, unknown>>): TagFilter {
  const pairs: [name: string, value: string][] = [];
  for (const [key, given] of Object.entries(query)) {
    for (const text of Array.isArray(given) ? given : [given]) {
      if (key.startsWith(prefix) && key.length > prefix.length)
        pairs.push([key.slice(prefix.length), String(text)]);
      else if (key === "tags" && text !== undefined) pairs.push(split(String(text)));
    }
  }
  if (pairs.length > tagsMax) throw invalid(`Query parameter tags may be given ${tagsMax} times at most`);
  return { tagNames: pairs.map(([name]) => name), tagValues: pairs.map(([, value]) => value) };
}

function split(text: string): [name: string, value: string] {
  const colon = text.indexOf(":");
  if (colon > 0) return [text.slice(0, colon), text.slice(colon + 1)];
  throw invalid("Query parameter tags must be NAME:VALUE, such as region:eu");
}
