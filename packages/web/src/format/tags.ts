/** The tags of `env:staging, region:eu` or `env=staging, region=eu`; undefined if a part is no name and value. */
export function tagsOf(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const tags = parts.map((part) => /^([^:=\s]+)\s*[:=]\s*(\S.*)$/.exec(part));
  if (tags.includes(null)) return undefined;
  return Object.fromEntries(tags.map((tag) => [tag?.[1] ?? "", tag?.[2] ?? ""]));
}
