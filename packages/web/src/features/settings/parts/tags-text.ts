import { tagsOf } from "#format/tags.ts";

const choicesMax = 100;

/** The text with its last part completed by each value of a tag that it does not have yet. */
export function tagChoices(
  text: string,
  tags: readonly { readonly name: string; readonly values: readonly { readonly value: string }[] }[],
): string[] {
  const comma = text.lastIndexOf(",");
  const head = comma === -1 ? "" : `${text.slice(0, comma).trimEnd()}, `;
  const used = tagsOf(comma === -1 ? "" : text.slice(0, comma)) ?? {};
  return tags
    .filter(({ name }) => used[name] === undefined)
    .flatMap(({ name, values }) => values.map(({ value }) => `${head}${name}:${value}`))
    .slice(0, choicesMax);
}
