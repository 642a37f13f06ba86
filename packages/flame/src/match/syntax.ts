import { anyCharacter, type CharSet, escapedSet, type SetItem } from "./char-set.ts";

// The syntax of regular expressions without what cannot be matched in linear time: back references, lookahead and lookbehind.

export type Assertion = "start" | "end" | "boundary" | "inside";

export type Syntax =
  | { readonly is: "set"; readonly set: CharSet }
  | { readonly is: "assert"; readonly that: Assertion }
  | { readonly is: "sequence"; readonly parts: readonly Syntax[] }
  | { readonly is: "choice"; readonly parts: readonly Syntax[] }
  /** `most` may be infinite. */
  | { readonly is: "repeat"; readonly part: Syntax; readonly least: number; readonly most: number };

/** An expression that cannot be used; the message is a sentence for the person who typed it. */
export class ExpressionError extends Error {}

const textMax = 1000;
const groupsMax = 50;
const repeatMax = 1000;

export function parseExpression(text: string): Syntax {
  if (text.length > textMax) throw new ExpressionError("The expression is too long.");
  return new Parser(text).parse();
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #openGroups = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  parse(): Syntax {
    const syntax = this.#choice();
    if (this.#next === ")") throw new ExpressionError("A closing bracket ) has no opening one.");
    return syntax;
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #skip(text: string): boolean {
    if (this.#next !== text) return false;
    this.#at++;
    return true;
  }

  #choice(): Syntax {
    const parts = [this.#sequence()];
    while (this.#skip("|")) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { is: "choice", parts };
  }

  #sequence(): Syntax {
    const parts: Syntax[] = [];
    while (this.#next !== undefined && this.#next !== "|" && this.#next !== ")") parts.push(this.#repeated());
    return parts.length === 1 ? parts[0]! : { is: "sequence", parts };
  }

  #repeated(): Syntax {
    let part = this.#atom();
    for (;;) {
      const count = this.#count();
      if (count === undefined) return part;
      part = { is: "repeat", part, ...count };
      // Lazy and greedy repeats match the same names.
      this.#skip("?");
    }
  }

  #count(): { least: number; most: number } | undefined {
    if (this.#skip("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#skip("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#skip("?")) return { least: 0, most: 1 };
    const rest = this.#next === "{" ? this.#characters.slice(this.#at, this.#at + 20).join("") : "";
    const [written, first, comma, last] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest) ?? [];
    if (written === undefined) return undefined;
    this.#at += written.length;
    const least = Number(first);
    const most = comma === undefined ? least : last === "" ? Number.POSITIVE_INFINITY : Number(last);
    if (most < least) throw new ExpressionError(`The numbers of ${written} are in the wrong order.`);
    if (least > repeatMax || (most > repeatMax && most !== Number.POSITIVE_INFINITY))
      throw new ExpressionError(`${written} repeats too often: at most ${repeatMax} times.`);
    return { least, most };
  }

  #atom(): Syntax {
    const character = this.#characters[this.#at++]!;
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { is: "set", set: this.#class() };
      case ".":
        return { is: "set", set: anyCharacter };
      case "^":
        return { is: "assert", that: "start" };
      case "$":
        return { is: "assert", that: "end" };
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        throw new ExpressionError(`There is nothing before ${character} to repeat.`);
      default:
        return { is: "set", set: { items: [single(character)], isNegated: false } };
    }
  }

  #group(): Syntax {
    if (this.#skip("?") && !this.#skip(":"))
      throw new ExpressionError("Groups that begin with (? are not supported, except (?:");
    if (++this.#openGroups > groupsMax) throw new ExpressionError("The groups are nested too deeply.");
    const inside = this.#choice();
    if (!this.#skip(")")) throw new ExpressionError("An opening bracket ( is not closed.");
    this.#openGroups--;
    return inside;
  }

  #escape(): Syntax {
    if (this.#skip("b")) return { is: "assert", that: "boundary" };
    if (this.#skip("B")) return { is: "assert", that: "inside" };
    return { is: "set", set: { items: [this.#escaped()], isNegated: false } };
  }

  /** After a backslash. */
  #escaped(): SetItem {
    const letter = this.#characters[this.#at++];
    if (letter === undefined) throw new ExpressionError("The expression ends with a backslash.");
    if (/[1-9]/.test(letter)) throw new ExpressionError("References to groups are not supported.");
    const set = escapedSet(letter);
    if (set !== undefined) return set;
    if (/[a-z0]/i.test(letter)) throw new ExpressionError(`\\${letter} is not supported.`);
    return single(letter);
  }

  /** After `[`. */
  #class(): CharSet {
    const isNegated = this.#skip("^");
    const items: SetItem[] = [];
    while (!this.#skip("]")) {
      const from = this.#classItem();
      if (this.#next === "-" && this.#characters[this.#at + 1] !== "]" && isOne(from)) {
        this.#at++;
        items.push(range(from, this.#classItem()));
      } else items.push(from);
    }
    return { items, isNegated };
  }

  #classItem(): SetItem {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new ExpressionError("An opening bracket [ is not closed.");
    return character === "\\" ? this.#escaped() : single(character);
  }
}

function single(character: string): SetItem {
  const code = character.codePointAt(0)!;
  return { ranges: [code, code], isNegated: false };
}

/** Whether the item is one character, and not a class such as `\d`. */
function isOne({ ranges, isNegated }: SetItem): boolean {
  return !isNegated && ranges.length === 2 && ranges[0] === ranges[1];
}

function range(from: SetItem, to: SetItem): SetItem {
  if (!isOne(to)) throw new ExpressionError("A range such as [a-z] must end with a single character.");
  const [first] = from.ranges;
  const [last] = to.ranges;
  if (first! > last!) throw new ExpressionError("The ends of a range such as [a-z] are in the wrong order.");
  return { ranges: [first!, last!], isNegated: false };
}
