import { isWord } from "./character-set.ts";
import { operations, type Program } from "./compile-pattern.ts";
import type { Place } from "./syntax-tree.ts";

/** Work that matchers may still do, in instructions. Below 0 it is used up, and what they then say means nothing. */
export interface Effort {
  left: number;
}

/**
 * Tells whether a pattern matches somewhere in a text, as Go's MatchString does. All ways through the pattern are followed
 * at once (Thompson's construction), so that the work is at most the pattern's length times the text's, whatever they are.
 * RegExp tries the ways one after the other, and there may be exponentially many.
 */
export class PatternMatcher {
  private readonly program: Program;
  private readonly effort: Effort;
  /** Instructions that wait for a character, and how many. */
  private waiting: Uint32Array;
  private waitingCount = 0;
  private next: Uint32Array;
  private nextCount = 0;
  /** The step at which an instruction was seen last. */
  private readonly seen: Uint32Array;
  private step = 0;
  private readonly open: Uint32Array;

  constructor(program: Program, effort: Effort) {
    this.program = program;
    this.effort = effort;
    this.waiting = new Uint32Array(program.length);
    this.next = new Uint32Array(program.length);
    this.seen = new Uint32Array(program.length);
    this.open = new Uint32Array(2 * program.length + 1);
  }

  matches(text: string): boolean {
    this.nextCount = 0;
    let before = -1;
    let code = codeAt(text, 0);
    this.step++;
    if (this.follow(0, before, code)) return true;
    for (let at = 0; code !== -1 && this.effort.left >= 0; ) {
      this.exchange();
      at += code > 0xffff ? 2 : 1;
      before = code;
      code = codeAt(text, at);
      this.step++;
      if (this.takeCharacter(before, code)) return true;
      if (!this.program.isAnchored && this.follow(0, before, code)) return true;
      if (this.program.isAnchored && this.nextCount === 0) return false;
    }
    return false;
  }

  private takeCharacter(code: number, after: number): boolean {
    const { first, sets } = this.program;
    this.effort.left -= this.waitingCount;
    for (let i = 0; i < this.waitingCount; i++) {
      const at = this.waiting[i]!;
      if (sets[first[at]!]!.has(code) && this.follow(at + 1, code, after)) return true;
    }
    return false;
  }

  /** Goes on from an instruction up to those that wait for a character; true where the pattern ends on the way. */
  private follow(from: number, before: number, after: number): boolean {
    const { operation, first, places } = this.program;
    const { open, seen, step } = this;
    open[0] = from;
    // Each instruction opens two at most, and only once a step.
    for (let depth = 1; depth > 0; ) {
      const at = open[--depth]!;
      if (seen[at] === step) continue;
      seen[at] = step;
      this.effort.left--;
      const kind = operation[at];
      if (kind === operations.accept) return true;
      if (kind === operations.take) this.next[this.nextCount++] = at;
      else if (kind === operations.jump) open[depth++] = first[at]!;
      else if (kind === operations.fork) {
        open[depth++] = first[at]!;
        open[depth++] = at + 1;
      } else if (holds(places[first[at]!]!, before, after)) open[depth++] = at + 1;
    }
    return false;
  }

  private exchange(): void {
    [this.waiting, this.next] = [this.next, this.waiting];
    this.waitingCount = this.nextCount;
    this.nextCount = 0;
  }
}

/** -1 at the end. */
function codeAt(text: string, at: number): number {
  return text.codePointAt(at) ?? -1;
}

function holds(place: Place, before: number, after: number): boolean {
  if (place === "start") return before === -1;
  if (place === "end") return after === -1;
  return (isWord(before) !== isWord(after)) === (place === "word boundary");
}
