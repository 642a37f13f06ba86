const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
/** A name, a colon or equals sign, and a value up to the next comma. */
const tag = new RegExp(
  String.raw`(${quoted}|[^:=\s",]+)\s*[:=]\s*(${quoted}|[^,"\s](?:[^,]*[^,\s])?)\s*(?:,|$)`,
  "y",
);

/**
 * The tags of `env:staging, region:eu` or `env=staging, region=eu`; undefined if a part is no name and value. Names and values in
 * double quotes may contain anything.
 */
export function tagsOf(text: string): Readonly<Record<string, string>> | undefined {
  const tags: [string, string][] = [];
  for (let at = 0; ; ) {
    at += /^[\s,]*/.exec(text.slice(at))![0].length;
    if (at === text.length) return Object.fromEntries(tags);
    tag.lastIndex = at;
    const [part, name = "", value = ""] = tag.exec(text) ?? [];
    const [plainName, plainValue] = [unquoted(name), unquoted(value)];
    if (part === undefined || plainName === undefined || plainValue === undefined) return undefined;
    tags.push([plainName, plainValue]);
    at += part.length;
  }
}

/** The inverse of `tagsOf`. */
export function tagsText(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(
      ([name, value]) =>
        `${isPlainName(name) ? name : JSON.stringify(name)}:${isPlainValue(value) ? value : JSON.stringify(value)}`,
    )
    .join(", ");
}

const isPlainName = (name: string) => /^[^:=\s",]+$/.test(name);
const isPlainValue = (value: string) => /^[^,"\s](?:[^,]*[^,\s])?$/.test(value);

/** Undefined for a text in quotes that is no JSON, such as one with a wrong escape. */
function unquoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
