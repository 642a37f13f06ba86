/** Code points as ranges, both ends included; sorted and apart where `normalised` made them. */
export type Ranges = readonly (readonly [from: number, to: number])[];

const highest = 0x10ffff;
const digit: Ranges = [[0x30, 0x39]];
const lower: Ranges = [[0x61, 0x7a]];
const upper: Ranges = [[0x41, 0x5a]];
const letter: Ranges = [...upper, ...lower];
const word: Ranges = [...digit, ...letter, [0x5f, 0x5f]];

/** `\d`, `\s` and `\w` mean ASCII in RE2. */
export const escapeClasses: ReadonlyMap<string, Ranges> = new Map<string, Ranges>([
  ["d", digit],
  ["D", inverted(digit)],
  ["s", spaces([0x0b])],
  ["S", inverted(spaces([0x0b]))],
  ["w", word],
  ["W", inverted(word)],
]);

/** As in `[[:alpha:]]`. */
export const namedClasses: ReadonlyMap<string, Ranges> = new Map<string, Ranges>([
  ["alnum", [...digit, ...letter]],
  ["alpha", letter],
  ["ascii", [[0, 0x7f]]],
  [
    "blank",
    [
      [0x09, 0x09],
      [0x20, 0x20],
    ],
  ],
  [
    "cntrl",
    [
      [0, 0x1f],
      [0x7f, 0x7f],
    ],
  ],
  ["digit", digit],
  ["graph", [[0x21, 0x7e]]],
  ["lower", lower],
  ["print", [[0x20, 0x7e]]],
  [
    "punct",
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ],
  ],
  ["space", spaces([])],
  ["upper", upper],
  ["word", word],
  ["xdigit", [...digit, [0x41, 0x46], [0x61, 0x66]]],
]);

/** Every character but a line break. */
export const anyInLine: Ranges = inverted([[0x0a, 0x0a]]);

/** Tab to carriage return and the blank, without some: `\s` leaves out the vertical tab. */
function spaces(without: readonly number[]): Ranges {
  const codes = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20].filter((code) => !without.includes(code));
  return codes.map((code) => [code, code] as const);
}

function normalised(ranges: Ranges): Ranges {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function inverted(ranges: Ranges): Ranges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of normalised(ranges)) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= highest) rest.push([next, highest]);
  return rest;
}

/** A set that is asked often: ASCII by a bit each, the rest by halving. */
export class CharacterSet {
  private readonly ascii = new Uint8Array(128);
  private readonly ranges: Ranges;

  constructor(ranges: Ranges) {
    this.ranges = normalised(ranges);
    for (const [from, to] of this.ranges) this.ascii.fill(1, from, Math.min(to + 1, 128));
  }

  has(code: number): boolean {
    if (code < 128) return this.ascii[code] === 1;
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ranges[middle]![1] < code) low = middle + 1;
      else high = middle;
    }
    return low < this.ranges.length && this.ranges[low]![0] <= code;
  }
}

const words = new CharacterSet(word);

/** What `\b` looks at; -1 stands for an end of the text. */
export function isWord(code: number): boolean {
  return code >= 0 && words.has(code);
}
