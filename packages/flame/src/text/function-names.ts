import { sourcePath } from "@flamekeep/profile";
import type { FunctionTable } from "#tree/call-tree.ts";
import { pathlessName, shownName } from "./label.ts";

/** The columns that distinguish functions, by id. */
type Functions = Pick<FunctionTable, "name" | "file" | "startLine" | "storedNames">;

const namesOfTables = new WeakMap<readonly string[], readonly string[]>();
const fullNamesOfTables = new WeakMap<readonly string[], readonly string[]>();

/**
 * How each function is named wherever it is shown, by id: `pkg.Func`, with its path where two functions would have the same name, and
 * with its file where their whole names are the same: `handler (a.js)`. Worked out once for a table.
 */
export function functionNames(functions: Functions): readonly string[] {
  return remembered(namesOfTables, functions, shortNames);
}

/** The whole name of each function, by id, with its file where two functions have the same name. */
export function fullNames(functions: Functions): readonly string[] {
  return remembered(fullNamesOfTables, functions, (table) => withPlaces(table, table.name));
}

function remembered(
  known: WeakMap<readonly string[], readonly string[]>,
  functions: Functions,
  namesOf: (functions: Functions) => readonly string[],
): readonly string[] {
  let names = known.get(functions.name);
  if (names === undefined) {
    names = namesOf(functions);
    known.set(functions.name, names);
  }
  return names;
}

function shortNames(functions: Functions): readonly string[] {
  const { name } = functions;
  const short = name.map(pathlessName);
  const nameOf = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const [fn, text] of short.entries()) {
    const other = nameOf.get(text);
    if (other === undefined) nameOf.set(text, name[fn]);
    else if (other !== name[fn]) ambiguous.add(text);
  }
  const shown = short.map((text, fn) => (ambiguous.has(text) ? name[fn] : text));
  return withPlaces(functions, shown).map(shownName);
}

/** The texts, with the place of the function where its whole name is not its own. */
function withPlaces(
  { name, file, startLine, storedNames }: Functions,
  texts: readonly string[],
): readonly string[] {
  const first = new Map<string, number>();
  const groups = new Map<string, number[]>();
  for (const [fn, each] of name.entries()) {
    const other = first.get(each);
    const group = groups.get(each);
    if (other === undefined) first.set(each, fn);
    else if (group === undefined) groups.set(each, [other, fn]);
    else group.push(fn);
  }
  if (groups.size === 0) return texts;
  const placed = texts.slice();
  for (const group of groups.values()) {
    const places = shortestPlaces(group.map((fn) => ({ path: sourcePath(file[fn]), line: startLine[fn] })));
    const samePlace = countsOf(places);
    for (const [at, fn] of group.entries()) {
      // Copies of a generic function that read alike.
      const stored = samePlace.get(places[at])! > 1 ? storedNames?.[fn][0] : undefined;
      const place = stored ?? places[at];
      if (place !== "") placed[fn] = `${texts[fn]} (${place})`;
    }
  }
  return placed;
}

/** Longer ends of paths are shown whole. */
const folderDepthMax = 8;

/** The shortest end of each path that no other one has, with the line where the paths are the same. */
function shortestPlaces(places: readonly { readonly path: string; readonly line: number }[]): string[] {
  const samePath = countsOf(places.map(({ path }) => path));
  const endsAt = (depth: number) =>
    places.map(({ path, line }) => {
      const end = depth > folderDepthMax ? path : path.split("/").slice(-depth).join("/");
      return samePath.get(path)! > 1 && line > 0 ? `${end}:${line}` : end;
    });
  const shortest = endsAt(folderDepthMax + 1);
  for (let depth = folderDepthMax; depth > 0; depth--) {
    const ends = endsAt(depth);
    const counts = countsOf(ends);
    for (const [at, end] of ends.entries()) if (counts.get(end) === 1) shortest[at] = end;
  }
  return shortest;
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
