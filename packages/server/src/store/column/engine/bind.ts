/**
 * Replaces `{name:Type}` by `_CAST('text', 'Type')`, as a ClickHouse server does when it binds. chDB's own binding
 * is not used: its parameters are state of the whole process, so that concurrent queries would see each other's values.
 * Its Node library therefore runs them one at a time (chdb 3.4.0, index.js, `globalParamChain`), and one slow read would
 * delay all others.
 */
import { scanTokens, type Token } from "./tokens.ts";

export type Bound =
  | { readonly ok: true; readonly sql: string }
  | { readonly ok: false; readonly reason: string };

/** @param params as ClickHouse's HTTP interface carries them: text escaped as in TSV, composites as literals */
export function bindParams(sql: string, params: ReadonlyMap<string, string>): Bound {
  const found = findPlaceholders(sql);
  return found.ok ? bindPlaceholders(sql, found.placeholders, params) : found;
}

/** As `bindParams`, for a statement whose placeholders are known. */
export function bindPlaceholders(
  sql: string,
  placeholders: readonly Placeholder[],
  params: ReadonlyMap<string, string>,
): Bound {
  let bound = "";
  let copied = 0;
  for (const place of placeholders) {
    const value = params.get(place.name);
    if (value === undefined) return { ok: false, reason: `Substitution \`${place.name}\` is not set` };
    if (place.type === "Identifier") return { ok: false, reason: "Identifier parameters are not supported" };
    if (/^(Map|Nested)\b/.test(place.type)) {
      return { ok: false, reason: "Map parameters are not supported: send keys and values as two arrays" };
    }
    bound += `${sql.slice(copied, place.from)}${toLiteral(value, place.type)}`;
    copied = place.to;
  }
  return { ok: true, sql: bound + sql.slice(copied) };
}

export interface Placeholder {
  readonly name: string;
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

export type FoundPlaceholders =
  | { readonly ok: true; readonly placeholders: readonly Placeholder[] }
  | { readonly ok: false; readonly reason: string };

export function findPlaceholders(sql: string): FoundPlaceholders {
  const scan = scanTokens(sql);
  return scan.ok ? { ok: true, placeholders: placeholdersIn(sql, scan.tokens) } : scan;
}

function placeholdersIn(sql: string, tokens: readonly Token[]): Placeholder[] {
  const found: Placeholder[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.text !== "{") continue;
    const [name, colon] = tokens.slice(index + 1, index + 3);
    if (name?.kind !== "word" || colon?.text !== ":") continue;
    const end = tokens.slice(index).find(({ kind, text }) => kind === "mark" && text === "}");
    if (!end) continue;
    const type = sql.slice(colon.at + 1, end.at).trim();
    found.push({ name: name.text, type, from: token.at, to: end.at + 1 });
  }
  return found;
}

function toLiteral(value: string, type: string): string {
  if (value === "\\N") return `_CAST(NULL, ${toStringLiteral(type)})`;
  const isComposite = /^(Array|Tuple)\b/.test(type);
  return `_CAST(${toStringLiteral(isComposite ? value : unescapeText(value))}, ${toStringLiteral(type)})`;
}

const escapes: Record<string, string> = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f", "0": "\0" };

function unescapeText(value: string): string {
  return value.replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter);
}

/** A ClickHouse string literal: only quotes and backslashes need an escape. */
export function toStringLiteral(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&").replaceAll("\0", "\\0")}'`;
}
