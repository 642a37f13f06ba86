import type { CssPixels } from "#view/viewport.ts";

/** Pixels each character takes in a label. */
export const charWidth: CssPixels = 6;

/** Boxes narrower than this have no label. */
const labelFrom = 24;

/** Characters that fit a box, 4 px free at both sides. */
export function labelLength(widthPx: CssPixels): number {
  return widthPx < labelFrom ? 0 : Math.max(0, Math.floor((widthPx - 8) / charWidth));
}

/**
 * Forms of a function name from long to short.
 *
 * ```
 * github.com/acme/shop/cart.(*Cart).Add   cart.(*Cart).Add   (*Cart).Add   Add
 * ```
 */
export function nameForms(functionName: string): readonly string[] {
  const bracket = functionName.indexOf("[");
  const head = bracket === -1 ? functionName : functionName.slice(0, bracket);
  const slash = head.lastIndexOf("/");
  const forms = [functionName];
  const add = (from: number) => {
    const form = functionName.slice(from);
    if (from > 0 && form !== "" && form.length < forms.at(-1)!.length) forms.push(form);
  };
  add(slash + 1);
  const dot = head.indexOf(".", slash + 1);
  if (dot === -1) return forms;
  add(dot + 1);
  const method = head.indexOf(").", dot);
  if (method !== -1) add(method + 2);
  return forms;
}

/** The longest form that fits, else the start of the shortest with an ellipsis. */
export function fitLabel(forms: readonly string[], length: number): string {
  for (const form of forms) if (form.length <= length) return form;
  const shortest = forms.at(-1) ?? "";
  if (length < 2) return "";
  const cut = shortest.slice(0, length - 1);
  return `${/[\ud800-\udbff]$/u.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A name safe to display: control and direction characters, which could fake another text, become U+FFFD. */
export function shownName(name: string): string {
  return name.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
