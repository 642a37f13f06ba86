import { Automaton } from "./automaton.ts";
import { programOf } from "./program.ts";
import { ExpressionError, parseExpression } from "./syntax.ts";

// The text of a search box for functions: texts separated by `|`, or a regular expression between slashes.

/** A search for names, in upper and lower case alike. */
export interface NameQuery {
  readonly kind: "nothing" | "text" | "expression";
  /** Number of texts; a name with one of them matches. 1 for an expression. */
  readonly terms: number;
  /** Why the query cannot be used, as a sentence; empty if it can. Then it matches nothing. */
  readonly error: string;
  readonly matches: (name: string) => boolean;
  /** Whether a name that is not shown matches: only queries that are written like one find it. */
  readonly matchesStored: (name: string) => boolean;
  /** Grows with the time that matching took beyond reading the names. */
  readonly work: () => number;
  /** True if matching was stopped because it took too long: the matches are not all. */
  readonly isExhausted: () => boolean;
}

export const tooSlow = "The expression takes too long with these names: make it simpler.";

const never = () => false;
const simple = { error: "", work: () => 0, isExhausted: () => false };
const nothing: NameQuery = { ...simple, kind: "nothing", terms: 0, matches: never, matchesStored: never };

export function nameQuery(query: string): NameQuery {
  return isExpression(query) ? expressionQuery(query.slice(1, -1)) : textQuery(query);
}

/** `/…/`: a path such as `/v2` or `net/http/` is text. */
function isExpression(query: string): boolean {
  return query.length > 2 && query.startsWith("/") && query.endsWith("/");
}

function expressionQuery(text: string): NameQuery {
  try {
    const automaton = new Automaton(programOf(parseExpression(text)));
    return {
      kind: "expression",
      terms: 1,
      error: "",
      matches: (name) => automaton.test(name),
      matchesStored: storedExpression.test(text) ? (name) => automaton.test(name) : never,
      work: () => automaton.work,
      isExhausted: () => automaton.isExhausted,
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...nothing, kind: "expression", terms: 1, error: error.message };
  }
}

/** Names are shorter, and JavaScript refuses a much longer pattern only when it is first used. */
const textMax = 8000;

function textQuery(query: string): NameQuery {
  const terms = query
    .split("|")
    .map((term) => term.trim())
    .filter(Boolean);
  if (terms.length === 0) return nothing;
  if (query.length > textMax)
    return { ...nothing, kind: "text", terms: terms.length, error: "The text is too long." };
  // Faster than lower case of every name. Without repeats it cannot be slow.
  const pattern = patternOf(terms);
  const stored = terms.filter((term) => storedTerm.test(term));
  const storedPattern = patternOf(stored);
  return {
    ...simple,
    kind: "text",
    terms: terms.length,
    matches: (name) => pattern.test(name),
    matchesStored: stored.length === 0 ? never : (name) => storedPattern.test(name),
  };
}

/** A mangled name from its beginning, or type parameters: `in` is not meant to find `_ZN4main3runEv` and `slices.Max[go.shape.int]`. */
const storedTerm = /^_{1,2}[ZR]|\[/;
const storedExpression = /_[ZR]|\\\[/;

function patternOf(terms: readonly string[]): RegExp {
  return new RegExp(terms.map(escaped).join("|"), "iu");
}

function escaped(term: string): string {
  return term.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}

/** The query that finds a name; undefined for a name with a `|`, or one that looks like an expression. */
export function queryFor(name: string): string | undefined {
  return name.includes("|") || isExpression(name) ? undefined : name;
}

/** The query that finds the functions of exactly this package, in upper or lower case. */
export function queryForPackage(packageName: string): string {
  // Only the last slash ends the expression.
  return `/^${escaped(packageName).replaceAll("\\/", "/")}$/`;
}
