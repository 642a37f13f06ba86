import { FramePattern } from "@flamekeep/profile";
import { invalid } from "#failure";

/** One condition of a selector: whether a series with this value of the label matches. A series without the label has the empty value. */
export interface Matcher {
  readonly name: string;
  /** The value of `=`; undefined for other operators. */
  readonly equals: string | undefined;
  readonly isPattern: boolean;
  matches(value: string): boolean;
}

const matchersMax = 30;
const patternsMax = 8;
/** For all values that a pattern is matched with, in the units of `FramePattern`: a third of a second at most. */
const patternWorkMax = 1_500_000;
const selectorLengthMax = 10_000;
/** The label that holds a name before the braces. */
export const nameLabel = "__name__";

/**
 * Reads a selector in the syntax of PromQL: `{service_name="shop", region=~"eu.*"}`, also `name{...}` and `{"name with spaces"="x"}`. Empty text
 * selects everything. Throws `invalid` with the place of what it does not understand.
 */
export function parseSelector(text: string): Matcher[] {
  if (text.length > selectorLengthMax)
    throw invalid(`The label selector has more than ${selectorLengthMax} characters: shorten it.`);
  return withFewPatterns(new SelectorReader(text).read());
}

/** All conditions of several selectors, as those of Pyroscope's lists are combined. */
export function parseSelectors(texts: readonly string[]): Matcher[][] {
  if (texts.length > matchersMax) throw invalid(`Give at most ${matchersMax} label selectors.`);
  if (texts.length === 0) return [[]];
  const selectors = texts.map(parseSelector);
  withFewPatterns(selectors.flat());
  return selectors;
}

/** Each may take some time. */
function withFewPatterns(matchers: Matcher[]): Matcher[] {
  if (matchers.filter(({ isPattern }) => isPattern).length <= patternsMax) return matchers;
  throw invalid(`There are more than ${patternsMax} patterns: name the values, or leave some out.`);
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

class SelectorReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Matcher[] {
    const found: Matcher[] = [];
    this.#space();
    const name = this.#take(/[A-Za-z_:][\w:.]*/y);
    if (name !== undefined) found.push(matcherOf(nameLabel, "=", name));
    this.#space();
    if (this.#at < this.#text.length || (name === undefined && this.#text.trim() !== "")) {
      this.#expect("{");
      this.#matchers(found);
      this.#space();
    }
    if (this.#at < this.#text.length) this.#fail("the end");
    return found;
  }

  #matchers(found: Matcher[]): void {
    for (;;) {
      this.#space();
      if (this.#take(/\}/y) !== undefined) return;
      if (found.length >= matchersMax)
        throw invalid(`The label selector has more than ${matchersMax} conditions: leave some out.`);
      const isQuoted = /["'`]/.test(this.#text[this.#at] ?? "");
      const name = isQuoted ? this.#string() : (this.#take(/[A-Za-z_][\w:./-]*/y) ?? this.#fail("a label"));
      this.#space();
      const operator = this.#take(/=~|!~|!=|=/y);
      if (operator === undefined && isQuoted) found.push(matcherOf(nameLabel, "=", name));
      else if (operator === undefined) this.#fail("one of =, !=, =~ and !~");
      else {
        this.#space();
        found.push(matcherOf(name, operator, this.#string()));
      }
      this.#space();
      if (this.#take(/,/y) !== undefined) continue;
      this.#expect("}");
      return;
    }
  }

  #string(): string {
    const quote = this.#take(/["'`]/y);
    if (quote === undefined) return this.#fail("a text in quotes");
    const from = this.#at;
    if (quote === "`") {
      const end = this.#text.indexOf("`", from);
      if (end < 0) return this.#fail("the closing quote");
      this.#at = end + 1;
      return this.#text.slice(from, end);
    }
    let value = "";
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return this.#fail("the closing quote");
      this.#at++;
      if (character === quote) return value;
      value += character === "\\" ? this.#escape() : character;
    }
  }

  #escape(): string {
    const code = this.#take(/x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{3}/y);
    if (code !== undefined) {
      const value = /^[xuU]/.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8);
      return value > 0x10_ff_ff ? this.#fail("a character") : String.fromCodePoint(value).toWellFormed();
    }
    const letter = this.#text[this.#at] ?? "";
    const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (character === undefined) return this.#fail("a character that can be escaped");
    this.#at++;
    return character;
  }

  #space(): void {
    this.#take(/\s*/y);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) this.#fail(`"${character}"`);
    this.#at++;
  }

  #fail(expected: string): never {
    throw invalid(
      `The label selector cannot be read: ${expected} is expected at character ${this.#at + 1}. An example is {service_name="shop", region=~"eu.*"}.`,
    );
  }
}

function matcherOf(name: string, operator: string, value: string): Matcher {
  if (name.includes("\0") || value.includes("\0"))
    throw invalid("The label selector must not contain the character U+0000");
  if (operator === "=") return { name, equals: value, isPattern: false, matches: (text) => text === value };
  if (operator === "!=")
    return { name, equals: undefined, isPattern: false, matches: (text) => text !== value };
  // Alone first: the group must not end within the pattern.
  const isPattern = FramePattern.compile(value, patternWorkMax) !== undefined;
  const pattern = isPattern ? FramePattern.compile(`^(?s:${value})$`, patternWorkMax) : undefined;
  if (pattern === undefined)
    throw invalid(
      `The pattern of ${name.slice(0, 100)} cannot be used: it must be in the syntax of RE2, short, and without the flag i.`,
    );
  const isWanted = operator === "=~";
  const known = new Map<string, boolean>();
  return {
    name,
    equals: undefined,
    isPattern: true,
    matches(text) {
      const isFound = known.get(text) ?? pattern.matches(text);
      known.set(text, isFound);
      if (pattern.isExhausted)
        throw invalid(
          `The pattern of ${name.slice(0, 100)} takes too long to match: simplify it, or name the values.`,
        );
      return isFound === isWanted;
    },
  };
}
