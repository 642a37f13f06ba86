/**
 * Parts of function names as Go writes them (`net/http.(*conn).serve`), with fair results for other languages.
 * Names are hostile input: each function here takes time linear in the name.
 */

/** The name without type parameters: `slices.SortFunc[go.shape.int]` is `slices.SortFunc`. */
export function withoutTypeParameters(name: string): string {
  if (!name.includes("[")) return name;
  let result = "";
  let depth = 0;
  let from = 0;
  for (let i = 0; i < name.length; i++) {
    const char = name[i];
    if (char === "[" && i > 0) {
      if (depth === 0) result += name.slice(from, i);
      depth++;
    } else if (char === "]" && depth > 0) {
      depth--;
      from = i + 1;
    }
  }
  return depth > 0 || from === 0 ? name : result + name.slice(from);
}

/**
 * The name without the shapes that the Go compiler makes one copy of a generic function for, so that the copies
 * of one function come together (golang/go#64528). Type parameters that are not shapes stay.
 */
export function withoutShapes(name: string): string {
  return name.includes("[go.shape.") || name.includes("[...]") ? withoutTypeParameters(name) : name;
}

/**
 * The package of a function: `github.com/a/b` of `github.com/a/b.(*T).M.func1`, `gopkg.in/yaml.v3` of
 * `gopkg.in/yaml%2ev3.Marshal`, the binary of `libc.so.6!0x7f00`, "" where a name has none.
 */
export function packageOf(name: string): string {
  const bang = name.indexOf("!0x");
  if (bang > 0) return name.slice(0, bang);
  const colons = name.indexOf("::");
  if (colons > 0) return name.slice(0, colons);
  const end = packageEnd(withoutTypeParameters(name));
  return end <= 0 ? "" : unescapeDots(name.slice(0, end));
}

/** Where the package path ends: at the first dot after the last slash before any bracket or parenthesis. */
function packageEnd(name: string): number {
  const open = name.indexOf("(");
  const path = open < 0 ? name : name.slice(0, open);
  const slash = path.lastIndexOf("/");
  return name.indexOf(".", slash + 1);
}

/** The Go linker escapes dots in the last element of a package's path. */
function unescapeDots(text: string): string {
  return text.includes("%2e") ? text.replaceAll("%2e", ".") : text;
}
