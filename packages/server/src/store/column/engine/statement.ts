import { scanTokens } from "./tokens.ts";

/**
 * Decides which statements the engine accepts. chDB's `readonly=1` is not enough: in such a session
 * `INTO OUTFILE` still writes files, `BACKUP` still writes, `file('/etc/passwd')` as a scalar function and
 * `DESCRIBE file(...)` still read, and several statements separated by `;` all run (chDB 3.4.0, measured).
 * So this check works on tokens and refuses everything that it does not understand.
 */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export function allowsRead(sql: string): Verdict {
  const scan = scanTokens(sql);
  if (!scan.ok) return scan;
  const { tokens } = scan;
  const first = tokens[0]?.text.toUpperCase();
  if (isTableCheck(tokens.map(({ text }) => text))) return { ok: true };
  if (first !== "SELECT" && first !== "WITH") return refuse("only SELECT and WITH may be read");
  for (const [index, token] of tokens.entries()) {
    const word = token.text.toUpperCase();
    if (token.kind === "word" && word === "INTO") return refuse("INTO is not allowed");
    if (tokens[index + 1]?.text !== "(") continue;
    if (token.kind === "quoted" || token.text === "}") return refuse("only plain function names are allowed");
    if (token.kind === "word" && isOutsideFunction(word)) return refuse(`${token.text}() is not allowed`);
  }
  return { ok: true };
}

export function allowsWrite(sql: string): Verdict {
  const scan = scanTokens(sql);
  if (!scan.ok) return scan;
  const words = scan.tokens.map((token) => token.text.toUpperCase());
  if (words.includes("OUTFILE")) return refuse("INTO OUTFILE is not allowed");
  if (words[0] === "INSERT" && words[2] === "FUNCTION") return refuse("INSERT INTO FUNCTION is not allowed");
  return { ok: true };
}

/** `CHECK TABLE name`, with or without a format, compares the checksums of a table's parts and changes nothing. */
function isTableCheck(words: readonly string[]): boolean {
  return /^CHECK TABLE \w+(?: FORMAT \w+)?$/.test(words.join(" "));
}

/** `INSERT INTO table (a, b) FORMAT Name` with the rows in the request's body. */
export interface InsertTarget {
  readonly table: string;
  readonly columns: readonly string[] | undefined;
  readonly format: string;
}

export function readInsertTarget(sql: string): InsertTarget | undefined {
  const match = /^\s*INSERT\s+INTO\s+([\w.]+)\s*(?:\(([\w\s,]+)\))?\s*FORMAT\s+(\w+)\s*$/i.exec(sql);
  if (!match) return undefined;
  const columns = match[2]?.split(",").map((name) => name.trim());
  return { table: match[1]!, columns, format: match[3]! };
}

/** Table functions that read nothing outside the engine; all others are refused. */
const insideTableFunctions = new Set([
  "NUMBERS",
  "NUMBERS_MT",
  "VALUES",
  "GENERATE_SERIES",
  "GENERATESERIES",
]);
const outsideScalarFunctions = new Set(["FILE", "EVAL", "CATBOOSTEVALUATE"]);
const outsideTableFunctions = new Set<string>();

/** Adds the table functions of this engine to the refused ones; called once, after it was opened. */
export function refuseTableFunctions(names: readonly string[]): void {
  for (const name of names) {
    const word = name.toUpperCase();
    if (!insideTableFunctions.has(word)) outsideTableFunctions.add(word);
  }
}

function isOutsideFunction(word: string): boolean {
  return outsideScalarFunctions.has(word) || outsideTableFunctions.has(word);
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
