/** Environment variables that only the README's table or only the server's schema contains. One line each. */
export function settingsAtOdds(readme: string, config: string): string[] {
  const documented = names(readme, /^\| `([A-Z][A-Z_]+)`/gm);
  const known = names(config, /^ {2}([A-Z][A-Z_]+): /gm);
  if (known.size === 0) return ["no settings found in the server's schema"];
  return [
    ...missing(known, documented).map((name) => `README.md says nothing about the setting ${name}`),
    ...missing(documented, known).map((name) => `README.md describes ${name}, which is no setting`),
  ];
}

function names(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""));
}

function missing(from: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...from].filter((name) => !other.has(name));
}
