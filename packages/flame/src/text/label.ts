import type { CssPixels } from "#view/viewport.ts";

/** Pixels each character takes in a label. */
export const charWidth: CssPixels = 6;

/** Boxes narrower than this have no label. */
const labelFrom = 24;

/** Characters that fit a box, 4 px free at both sides. */
export function labelLength(widthPx: CssPixels): number {
  return widthPx < labelFrom ? 0 : Math.max(0, Math.floor((widthPx - 8) / charWidth));
}

const typeArguments = /^([^[]*)\[.*\]/su;

/**
 * The name if it fits, else without its type arguments, else cut with an ellipsis. A place after the name goes first: `render (env…`. A name
 * with a path keeps its end, which says most: `…conn).serve`; a plain one keeps its beginning.
 */
export function fitLabel(name: string, length: number): string {
  if (name.length <= length) return name;
  const short = name.replace(typeArguments, "$1[…]");
  if (short.length <= length) return short;
  if (length < 2) return "";
  const place = short.endsWith(")") ? short.indexOf(" (", 1) : -1;
  const own = place === -1 ? short : short.slice(0, place);
  if (own.length === length) return own;
  if (own.length < length || !/[./:]/u.test(own))
    return `${short.slice(0, length - 1).replace(/[\ud800-\udbff]$/u, "")}…`;
  return `…${own.slice(1 - length).replace(/^[\udc00-\udfff]/u, "")}`;
}

/** A name safe to display: control and direction characters, which could fake another text, become U+FFFD. */
export function shownName(name: string): string {
  return name.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

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
