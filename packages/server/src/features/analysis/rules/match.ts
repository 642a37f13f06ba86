/** Decides about a function by its name, without the shapes of generic functions, and its file. */
export type Match = (name: string, file: string) => boolean;

/**
 * Matches names: `regexp.Compile` is that function and its literals (`regexp.Compile.func1`), `encoding/json.*`
 * is all that begins so, and `time.{Now,Since}` is both.
 */
export function functions(...patterns: readonly string[]): (name: string) => boolean {
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
  return (name, file) => matches.some((match) => match(name, file));
}

export function except(match: Match, excluded: Match): Match {
  return (name, file) => match(name, file) && !excluded(name, file);
}

/**
 * Matches functions of Python and Node by a part of their path, and after `#` by their own names: `json/encoder.py` is the
 * whole file, `node_modules/lodash/` a folder, `node:fs#*Sync` what ends so, and `#structuredClone` a function of V8, which has
 * no file. Classes and enclosing functions before the name do not count.
 */
export function inFiles(...patterns: readonly string[]): Match {
  const places = patterns.map((pattern) => {
    const [place = "", names = ""] = pattern.split("#");
    return { place, names: names.split(" ").filter(Boolean) };
  });
  return (name, file) => {
    const path = `/${file.replaceAll("\\", "/")}`;
    return places.some(
      ({ place, names }) =>
        (place === "" ? file === "" : path.includes(`/${place}`)) &&
        (names.length === 0 || names.some((each) => isNamed(ownName(name), each))),
    );
  };
}

function isNamed(name: string, pattern: string): boolean {
  return pattern.startsWith("*") ? name.endsWith(pattern.slice(1)) : name === pattern;
}

/**
 * The last part of a name of Python or Node: `encode` of `JSONEncoder.encode`. Pyroscope's library for Node writes the place into the
 * name: `readFileSync` of `node:fs:readFileSync:441`, `stat` of `:stat:0`.
 */
export function ownName(name: string): string {
  const end = name.lastIndexOf(":");
  const begin = name.lastIndexOf(":", end - 1);
  const plain =
    end > 0 && begin >= 0 && /^\d+$/.test(name.slice(end + 1)) ? name.slice(begin + 1, end) : name;
  return plain.slice(plain.lastIndexOf(".") + 1);
}
