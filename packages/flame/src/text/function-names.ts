import type { FunctionTable } from "#tree/call-tree.ts";
import { shownName } from "./label.ts";

/**
 * A function name without the path of its package: `pkg.Func`. Paths end before type arguments, receivers and spaces.
 *
 * ```
 * github.com/acme/shop/cart.(*Cart).Add   cart.(*Cart).Add
 * slices.SortFunc[go.shape.[]a/b.T]       slices.SortFunc[go.shape.[]a/b.T]
 * ```
 */
export function pathlessName(name: string): string {
  const end = name.search(/[\s([]/u);
  const slash = end === -1 ? name.lastIndexOf("/") : name.lastIndexOf("/", end);
  return slash + 1 < name.length ? name.slice(slash + 1) : name;
}

/** A function name where no table of functions is at hand: without its path, and safe to display. */
export function shortFunctionName(name: string): string {
  return shownName(pathlessName(name));
}

const namesOfTables = new WeakMap<readonly string[], readonly string[]>();

/**
 * How each function is named wherever it is shown, by id: `pkg.Func`, or with its path where two functions would have the same name.
 * Worked out once for a table.
 */
export function functionNames({ name }: Pick<FunctionTable, "name">): readonly string[] {
  let names = namesOfTables.get(name);
  if (names === undefined) {
    names = distinctNames(name);
    namesOfTables.set(name, names);
  }
  return names;
}

function distinctNames(name: readonly string[]): readonly string[] {
  const short = name.map(pathlessName);
  const first = new Map<string, number>();
  const isAmbiguous = new Uint8Array(name.length);
  for (const [fn, text] of short.entries()) {
    const other = first.get(text);
    if (other === undefined) first.set(text, fn);
    else {
      isAmbiguous[other] = 1;
      isAmbiguous[fn] = 1;
    }
  }
  return short.map((text, fn) => shownName(isAmbiguous[fn] === 1 ? name[fn] : text));
}
