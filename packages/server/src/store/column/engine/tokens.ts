/** A token of a statement; comments and white space are left out. */
export interface Token {
  readonly kind: "word" | "quoted" | "string" | "mark";
  readonly text: string;
  /** Offset in the statement. */
  readonly at: number;
}

export type Scan =
  | { readonly ok: true; readonly tokens: Token[] }
  | { readonly ok: false; readonly reason: string };

const tokenPattern =
  /(?<space>\s+|--[^\n]*|\/\*(?:(?!\/\*)[\s\S])*?\*\/)|(?<string>'(?:[^'\\]|\\[\s\S]|'')*')|(?<quoted>`(?:[^`\\]|\\[\s\S]|``)*`|"(?:[^"\\]|\\[\s\S]|"")*")|(?<word>[A-Za-z_0-9]+)|(?<mark>\/(?!\*)|[()[\]{},.:;=<>!+\-*%?|@^])/y;

/** Splits a statement; refuses unexpected characters and a second statement after a semicolon. */
export function scanTokens(sql: string): Scan {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < sql.length) {
    const at = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(sql)?.groups;
    if (!groups) return refuse(`unexpected character at ${at}`);
    if (groups.space !== undefined) continue;
    const kind = (["string", "quoted", "word", "mark"] as const).find((name) => groups[name] !== undefined)!;
    tokens.push({ kind, text: groups[kind]!, at });
  }
  while (tokens.at(-1)?.text === ";") tokens.pop();
  if (tokens.some((token) => token.kind === "mark" && token.text === ";")) {
    return refuse("one statement at a time");
  }
  if (tokens.length === 0) return refuse("empty statement");
  return { ok: true, tokens };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
