/** Decides about a function by its name, without the shapes of generic functions. */
export type Match = (name: string) => boolean;

/**
 * Matches names: `regexp.Compile` is that function and its literals (`regexp.Compile.func1`), `encoding/json.*`
 * is all that begins so, and `time.{Now,Since}` is both.
 */
export function functions(...patterns: readonly string[]): Match {
  const names = patterns.flatMap(alternatives);
  const exact = new Set(names.filter((name) => !name.endsWith("*")));
  const prefixes = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return (name) => {
    if (exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) return true;
    const literal = name.lastIndexOf(".func");
    return literal > 0 && exact.has(name.slice(0, literal));
  };
}

/** `sync.(*{Map,Pool}).{Get,Put}` says four names. */
function alternatives(pattern: string): string[] {
  const list = /\{([^{}]+)\}/.exec(pattern);
  if (list === null) return [pattern];
  return list[1]!.split(",").flatMap((one) => alternatives(pattern.replace(list[0], () => one)));
}

export function anyOf(...matches: readonly Match[]): Match {
  return (name) => matches.some((match) => match(name));
}

export function except(match: Match, excluded: Match): Match {
  return (name) => match(name) && !excluded(name);
}
