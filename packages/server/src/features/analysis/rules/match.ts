/** Decides about a function by its name, without the shapes of generic functions. */
export type Match = (name: string) => boolean;

/**
 * Matches names: `regexp.Compile` is that function and its literals (`regexp.Compile.func1`), `encoding/json.*`
 * is all that begins so.
 */
export function functions(...patterns: readonly string[]): Match {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith("*")));
  const prefixes = patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1));
  return (name) => {
    if (exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) return true;
    const literal = name.lastIndexOf(".func");
    return literal > 0 && exact.has(name.slice(0, literal));
  };
}

export function anyOf(...matches: readonly Match[]): Match {
  return (name) => matches.some((match) => match(name));
}

export function except(match: Match, excluded: Match): Match {
  return (name) => match(name) && !excluded(name);
}
