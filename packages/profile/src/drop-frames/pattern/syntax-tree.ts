import type { Ranges } from "./character-set.ts";

/** Where in the text something holds, without taking a character. */
export type Place = "start" | "end" | "word boundary" | "no word boundary";

type Content =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Node[] }
  | Repeat;

export interface Repeat {
  readonly kind: "repeat";
  readonly of: Node;
  readonly min: number;
  readonly max: number;
}

/** A part of a pattern. */
export type Node = Content & {
  readonly height: number;
  /** How often the innermost part stands there at most, counted repetitions within one another. */
  readonly copies: number;
};

/** A pattern that is invalid, or uses or needs more than is offered here. Never leaves this folder. */
export class PatternRefusal extends Error {
  override readonly name = "PatternRefusal";
}

const heightMax = 200;
/** As in RE2, which refuses `(a{100}){100}`. */
const copiesMax = 1000;

export function setOf(ranges: Ranges): Node {
  return { kind: "set", ranges, height: 1, copies: 1 };
}

export function placeOf(place: Place): Node {
  return { kind: "place", place, height: 1, copies: 1 };
}

export function groupOf(kind: "sequence" | "choice", parts: readonly Node[]): Node {
  if (parts.length === 1) return parts[0]!;
  let height = 0;
  let copies = 1;
  for (const part of parts) {
    height = Math.max(height, part.height);
    copies = Math.max(copies, part.copies);
  }
  return { kind, parts, height: grown(height), copies };
}

/** @param max Infinity where there is no bound */
export function repeatOf(of: Node, min: number, max: number): Node {
  const times = max === Number.POSITIVE_INFINITY ? min : max;
  const copies = max === 0 ? 1 : Math.max(1, times) * of.copies;
  if (copies > copiesMax) throw new PatternRefusal("repetitions of repetitions");
  return { kind: "repeat", of, min, max, height: grown(of.height), copies };
}

/** Trees are walked by recursion. */
function grown(height: number): number {
  if (height >= heightMax) throw new PatternRefusal("too deep");
  return height + 1;
}
