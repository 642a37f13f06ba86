import { anyInLine, escapeClasses, inverted, namedClasses, type Ranges } from "./character-set.ts";
import { PatternReader } from "./pattern-reader.ts";
import { groupOf, type Node, PatternRefusal, type Place, placeOf, repeatOf, setOf } from "./syntax-tree.ts";

/** As in RE2. */
const countMax = 1000;
/** Groups within groups. */
const depthMax = 100;
const places: ReadonlyMap<string, Place> = new Map([
  ["A", "start"],
  ["z", "end"],
  ["b", "word boundary"],
  ["B", "no word boundary"],
]);

/**
 * Reads a pattern in RE2's syntax as Go's regexp.Compile does, without flags such as `(?i)`, named groups and classes of
 * Unicode: those, and what is invalid there, are refused by a `PatternRefusal`.
 */
export function parsePattern(text: string): Node {
  const reader = new PatternReader(text);
  const node = choice(reader, 0);
  if (!reader.isAtEnd) throw new PatternRefusal("a parenthesis too many");
  return node;
}

function choice(reader: PatternReader, depth: number): Node {
  if (depth > depthMax) throw new PatternRefusal("too deep");
  const options = [sequence(reader, depth)];
  while (reader.takes("|")) options.push(sequence(reader, depth));
  return groupOf("choice", options);
}

function sequence(reader: PatternReader, depth: number): Node {
  const parts: Node[] = [];
  let isRepeated = false;
  while (!reader.isAtEnd && reader.peek() !== "|" && reader.peek() !== ")") {
    const count = takeRepetition(reader);
    if (count === undefined) {
      addPart(reader, parts, depth);
      isRepeated = false;
      continue;
    }
    const part = parts.pop();
    if (isRepeated || part === undefined) throw new PatternRefusal("nothing to repeat");
    parts.push(repeatOf(part, count.min, count.max));
    isRepeated = true;
  }
  return groupOf("sequence", parts);
}

function takeRepetition(reader: PatternReader): { readonly min: number; readonly max: number } | undefined {
  const count = takeCount(reader);
  // What is lazy matches the same texts.
  if (count !== undefined) reader.takes("?");
  return count;
}

function takeCount(reader: PatternReader): { readonly min: number; readonly max: number } | undefined {
  if (reader.takes("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (reader.takes("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (reader.takes("?")) return { min: 0, max: 1 };
  const count = reader.takeCount();
  if (count === undefined) return undefined;
  const { min, max } = count;
  const isTooMany = min > countMax || (max > countMax && max !== Number.POSITIVE_INFINITY);
  if (isTooMany || max < min) throw new PatternRefusal("no such count");
  return count;
}

function addPart(reader: PatternReader, parts: Node[], depth: number): void {
  const character = reader.next();
  if (character === "(") parts.push(group(reader, depth));
  else if (character === "[") parts.push(setOf(classIn(reader)));
  else if (character === ".") parts.push(setOf(anyInLine));
  else if (character === "^") parts.push(placeOf("start"));
  else if (character === "$") parts.push(placeOf("end"));
  else if (character === "\\") addEscape(reader, parts);
  else parts.push(literal(character.codePointAt(0)!));
}

function group(reader: PatternReader, depth: number): Node {
  if (reader.takes("?") && !reader.takes(":")) throw new PatternRefusal("flags and names of groups");
  const node = choice(reader, depth + 1);
  if (!reader.takes(")")) throw new PatternRefusal("an open group");
  return node;
}

function addEscape(reader: PatternReader, parts: Node[]): void {
  const character = reader.peek();
  const place = places.get(character);
  const ranges = escapeClasses.get(character);
  if (place !== undefined || ranges !== undefined) reader.next();
  if (place !== undefined) parts.push(placeOf(place));
  else if (ranges !== undefined) parts.push(setOf(ranges));
  else if (reader.takes("Q")) {
    const text = reader.takeBetween("", "\\E") ?? reader.takeRest();
    for (const quoted of text) parts.push(literal(quoted.codePointAt(0)!));
  } else parts.push(literal(reader.takeEscape()));
}

function literal(code: number): Node {
  return setOf([[code, code]]);
}

/** Behind the opening bracket. */
function classIn(reader: PatternReader): Ranges {
  const isInverted = reader.takes("^");
  const ranges: (readonly [number, number])[] = [];
  for (let isFirst = true; isFirst || !reader.takes("]"); isFirst = false) {
    const known = namedClass(reader) ?? escapedClass(reader);
    if (known !== undefined) {
      ranges.push(...known);
      continue;
    }
    const from = classCharacter(reader);
    const isRange = reader.peek() === "-" && reader.peek(1) !== "]" && reader.peek(1) !== "";
    if (isRange) reader.next();
    const to = isRange ? classCharacter(reader) : from;
    if (to < from) throw new PatternRefusal("a range from the end to the start");
    ranges.push([from, to]);
  }
  return isInverted ? inverted(ranges) : ranges;
}

function classCharacter(reader: PatternReader): number {
  const character = reader.next();
  return character === "\\" ? reader.takeEscape() : character.codePointAt(0)!;
}

function escapedClass(reader: PatternReader): Ranges | undefined {
  if (reader.peek() !== "\\") return undefined;
  const ranges = escapeClasses.get(reader.peek(1));
  if (ranges !== undefined) reader.takes(`\\${reader.peek(1)}`);
  return ranges;
}

/** `[:alpha:]` or `[:^alpha:]`. */
function namedClass(reader: PatternReader): Ranges | undefined {
  const text = reader.takeBetween("[:", ":]");
  if (text === undefined) return undefined;
  const isInverted = text.startsWith("^");
  const ranges = namedClasses.get(isInverted ? text.slice(1) : text);
  if (ranges === undefined) throw new PatternRefusal("no such class");
  return isInverted ? inverted(ranges) : ranges;
}
