import { CharacterSet, type Ranges } from "./character-set.ts";
import { parsePattern } from "./parse-pattern.ts";
import { type Node, PatternRefusal, type Place, type Repeat } from "./syntax-tree.ts";

/**
 * A nondeterministic automaton. Instruction i does what operation[i] says; where it goes on, that is at i + 1.
 *
 * ```
 * take    goes on past a character of sets[first[i]]
 * hold    goes on where places[first[i]] is
 * jump    goes on at first[i] instead
 * fork    goes on at first[i] too
 * accept  the text matches
 * ```
 */
export interface Program {
  readonly length: number;
  readonly operation: Uint8Array;
  readonly first: Uint32Array;
  readonly sets: readonly CharacterSet[];
  readonly places: readonly Place[];
  /** It can match at the start of a text only. */
  readonly isAnchored: boolean;
}

export const operations = { take: 0, hold: 1, jump: 2, fork: 3, accept: 4 } as const;

/** Real lists of allocator functions have under 2,000 characters. */
const textMax = 8192;
const instructionsMax = 8192;

/** Undefined where the pattern is invalid, uses what is not offered (see `parsePattern`) or is too large. */
export function compilePattern(text: string): Program | undefined {
  if (text.length > textMax) return undefined;
  try {
    return new Emitter().program(parsePattern(text));
  } catch (error) {
    if (error instanceof PatternRefusal) return undefined;
    throw error;
  }
}

class Emitter {
  private readonly operation: number[] = [];
  private readonly first: number[] = [];
  private readonly sets: CharacterSet[] = [];
  private readonly places: Place[] = [];
  /** A part that is repeated stands there many times, and its set once. */
  private readonly indexes = new Map<Ranges, number>();

  program(node: Node): Program {
    this.emit(node);
    this.push(operations.accept, 0);
    return {
      length: this.operation.length,
      operation: Uint8Array.from(this.operation),
      first: Uint32Array.from(this.first),
      sets: this.sets,
      places: this.places,
      isAnchored: this.operation[0] === operations.hold && this.places[0] === "start",
    };
  }

  private emit(node: Node): void {
    if (node.kind === "set") this.push(operations.take, this.indexOf(node.ranges));
    else if (node.kind === "place") this.push(operations.hold, this.places.push(node.place) - 1);
    else if (node.kind === "repeat") this.emitRepeat(node);
    else if (node.kind === "choice") this.emitChoice(node.parts);
    else for (const part of node.parts) this.emit(part);
  }

  private emitChoice(options: readonly Node[]): void {
    const ends: number[] = [];
    options.forEach((option, i) => {
      const isLast = i === options.length - 1;
      const fork = isLast ? -1 : this.push(operations.fork, 0);
      this.emit(option);
      if (isLast) return;
      ends.push(this.push(operations.jump, 0));
      this.first[fork] = this.operation.length;
    });
    for (const end of ends) this.first[end] = this.operation.length;
  }

  private emitRepeat({ of, min, max }: Repeat): void {
    for (let i = 0; i < min; i++) this.emit(of);
    if (max === Number.POSITIVE_INFINITY) {
      const fork = this.push(operations.fork, 0);
      this.emit(of);
      this.push(operations.jump, fork);
      this.first[fork] = this.operation.length;
      return;
    }
    const forks: number[] = [];
    for (let i = min; i < max; i++) {
      forks.push(this.push(operations.fork, 0));
      this.emit(of);
    }
    for (const fork of forks) this.first[fork] = this.operation.length;
  }

  private indexOf(ranges: Ranges): number {
    const known = this.indexes.get(ranges) ?? this.sets.length;
    if (known < this.sets.length) return known;
    this.indexes.set(ranges, known);
    return this.sets.push(new CharacterSet(ranges)) - 1;
  }

  private push(operation: number, first: number): number {
    if (this.operation.length === instructionsMax) throw new PatternRefusal("too large");
    this.first.push(first);
    return this.operation.push(operation) - 1;
  }
}
