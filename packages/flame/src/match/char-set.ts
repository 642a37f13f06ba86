/** Characters between pairs of code points, both included, or all others. */
export interface SetItem {
  readonly ranges: readonly number[];
  readonly isNegated: boolean;
}

/** Characters that one of the items has, in either case; or all others. */
export interface CharSet {
  readonly items: readonly SetItem[];
  readonly isNegated: boolean;
}

export const anyCharacter: CharSet = { items: [], isNegated: true };

const codes = (text: string) => [...text].map((each) => each.codePointAt(0)!);
const digits = codes("09");
const word = codes("09AZ__az");
const space = [
  ...codes("\t\r  "),
  0xa0,
  0xa0,
  0x2000,
  0x200a,
  0x2028,
  0x2029,
  0x202f,
  0x202f,
  0x3000,
  0x3000,
];
const sets: Readonly<Record<string, readonly number[]>> = {
  d: digits,
  w: word,
  s: space,
  t: codes("\t\t"),
  n: codes("\n\n"),
  r: codes("\r\r"),
};
const negated = new Set(["D", "W", "S"]);

/** The characters of `\d` and the like; undefined for letters without a meaning. */
export function escapedSet(letter: string): SetItem | undefined {
  const isNegated = negated.has(letter);
  const ranges = sets[isNegated ? letter.toLowerCase() : letter];
  return ranges === undefined ? undefined : { ranges, isNegated };
}

export function isInSet({ items, isNegated }: CharSet, code: number): boolean {
  if (items.length === 0) return isNegated;
  const lower = inCase(code, "toLowerCase");
  const upper = inCase(code, "toUpperCase");
  return items.some((item) => isInItem(item, lower) || isInItem(item, upper)) !== isNegated;
}

export function isWordCharacter(code: number): boolean {
  return isBetween(word, code);
}

function isInItem({ ranges, isNegated }: SetItem, code: number): boolean {
  return isBetween(ranges, code) !== isNegated;
}

function isBetween(ranges: readonly number[], code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (code >= ranges[at]! && code <= ranges[at + 1]!) return true;
  }
  return false;
}

/** The other case of a character, where that is one character. */
function inCase(code: number, to: "toLowerCase" | "toUpperCase"): number {
  const changed = String.fromCodePoint(code)[to]();
  const first = changed.codePointAt(0)!;
  return changed.length === (first > 0xffff ? 2 : 1) ? first : code;
}
