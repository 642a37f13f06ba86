import { RE2JS, RE2JSException } from "re2js";

/** Real lists of allocator functions have under 2,000 characters. */
const textMax = 8192;
const instructionsMax = 8192;
/** Characters with all repetitions written out: a short pattern could become a million instructions. */
const expandedMax = 32_768;
/** Longer names match no pattern. */
const nameMax = 1024;
/** For all names: up to a second. Sixty names of allocators take a fifth of it over 20,000 functions, and 30 ms. */
const workMax = 5_000_000;

/**
 * A pattern in Go's regular expression syntax (RE2), without Unicode classes and the flag `i`: they can take seconds to compile.
 *
 * RE2JS builds a deterministic automaton while it matches. A cached step costs nothing; a new one costs up to the
 * number of instructions, and there are at most as many as states times character classes.
 */
export class FramePattern {
  /** True once matching became too costly: from then on nothing matches. */
  isExhausted = false;
  readonly #pattern: RE2JS;
  #characters = 0;

  private constructor(pattern: RE2JS) {
    this.#pattern = pattern;
    // RE2JS would clear a large automaton, and `#workAfter` could not count its states. `workMax` bounds the memory instead.
    pattern.re2().dfa.memBudget = Number.MAX_SAFE_INTEGER;
  }

  /** Undefined if the text is invalid, too large or not supported. */
  static compile(text: string): FramePattern | undefined {
    if (text.length > textMax || expandedLength(text) > expandedMax) return undefined;
    if (/\(\?[a-zA-Z]*i/.test(text)) return undefined;
    try {
      const pattern = RE2JS.compile(text, RE2JS.DISABLE_UNICODE_GROUPS);
      return pattern.programSize() > instructionsMax ? undefined : new FramePattern(pattern);
    } catch (error) {
      if (error instanceof RE2JSException) return undefined;
      throw error;
    }
  }

  /** Whether the pattern matches anywhere in the name, as Go's MatchString does. */
  matches(name: string): boolean {
    if (name.length > nameMax) return false;
    this.#characters += name.length + 1;
    this.isExhausted ||= this.#workAfter(name.length + 1) > workMax;
    return !this.isExhausted && this.#pattern.test(name);
  }

  /** Work done once `characters` more are matched, at most. */
  #workAfter(characters: number): number {
    const { stateCount, numClasses } = this.#pattern.re2().dfa;
    const newSteps = Math.min(this.#characters, stateCount * (numClasses + 1) + characters);
    const tables = (stateCount + characters) * numClasses;
    return newSteps * this.#pattern.programSize() + tables + this.#characters;
  }
}

/** Length of a pattern whose counts all multiplied each other: `(ab{3}){2}` has 10 * 3 * 2. */
function expandedLength(text: string): number {
  let length = text.length;
  for (const [, least, most] of text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    length *= Math.max(1, Number(least), Number(most ?? 0));
  }
  return length;
}
