import { PatternRefusal } from "./syntax-tree.ts";

const plainEscapes: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** The characters of a pattern, one after the other. */
export class PatternReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Enough for the characters that mean something, all of which are ASCII; "" behind the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead);
  }

  next(): string {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new PatternRefusal("ends early");
    const character = String.fromCodePoint(code);
    this.at += character.length;
    return character;
  }

  /** Goes past `text` where it stands here. */
  takes(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** The text between the two, past which it goes; undefined, and nothing done, where they do not stand here. */
  takeBetween(start: string, end: string): string | undefined {
    if (!this.text.startsWith(start, this.at)) return undefined;
    const from = this.at + start.length;
    const to = this.text.indexOf(end, from);
    if (to === -1) return undefined;
    this.at = to + end.length;
    return this.text.slice(from, to);
  }

  /** All that is left. */
  takeRest(): string {
    const rest = this.text.slice(this.at);
    this.at = this.text.length;
    return rest;
  }

  /** `{2}`, `{2,}` or `{2,5}`; undefined, and nothing done, where none stands here: the brace is then itself. */
  takeCount(): { readonly min: number; readonly max: number } | undefined {
    const from = this.at;
    const count = this.readCount();
    if (count === undefined) this.at = from;
    return count;
  }

  private readCount(): { min: number; max: number } | undefined {
    if (!this.takes("{")) return undefined;
    const min = this.takeNumber();
    if (min === undefined) return undefined;
    let max: number | undefined = min;
    if (this.takes(",")) max = this.peek() === "}" ? Number.POSITIVE_INFINITY : this.takeNumber();
    return max === undefined || !this.takes("}") ? undefined : { min, max };
  }

  private takeNumber(): number | undefined {
    let digits = "";
    while (isDigit(this.peek())) digits += this.next();
    return digits === "" || (digits.length > 1 && digits[0] === "0") ? undefined : Number(digits);
  }

  /** The character that an escape stands for, behind its backslash. */
  takeEscape(): number {
    const character = this.next();
    const plain = plainEscapes.get(character);
    if (plain !== undefined) return plain;
    if (character === "x") return this.takeHexadecimal();
    if (character === "0" || (isOctal(character) && isOctal(this.peek()))) return this.takeOctal(character);
    const code = character.codePointAt(0)!;
    if (code < 0x80 && !isLetter(code) && !isDigit(character)) return code;
    throw new PatternRefusal("unknown escape");
  }

  private takeOctal(first: string): number {
    let digits = first;
    while (digits.length < 3 && isOctal(this.peek())) digits += this.next();
    return Number.parseInt(digits, 8);
  }

  private takeHexadecimal(): number {
    const digits = this.takeBetween("{", "}") ?? this.next() + this.next();
    if (digits === "" || ![...digits].every(isHexadecimal)) throw new PatternRefusal("not hexadecimal");
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) throw new PatternRefusal("no character");
    return code;
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}

function isOctal(character: string): boolean {
  return isDigit(character) && character < "8";
}

function isHexadecimal(character: string): boolean {
  return isDigit(character) || "abcdefABCDEF".includes(character);
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
