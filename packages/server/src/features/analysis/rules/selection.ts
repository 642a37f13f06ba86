import type { Fraction } from "@flamekeep/profile";
import type { FindingFunction } from "./finding.ts";
import type { Match } from "./match.ts";
import type { WeightedStacks } from "./weighted-stacks.ts";

/** An application function that causes a part of a selection. */
export interface Caller {
  readonly fn: number;
  readonly name: string;
  /** As `functionRef`. */
  readonly ref: string;
  /** The frame, a line of the function, that causes most of it. */
  readonly frame: number;
  /** Value that it causes within the selection. */
  readonly weight: number;
  /** Share of the profile. */
  readonly share: Fraction;
}

/** Callers listed as evidence, and the share of the selection from which on the second and later ones are. */
const callersMax = 3;
const callerShareMin: Fraction = 0.1;

/** Stacks of a view, each with the frame that made it match. */
export class Selection {
  readonly view: WeightedStacks;
  readonly stacks: readonly number[];
  /** For each stack, the entry of `stacks.frame` that matched. */
  readonly matchedAt: readonly number[];
  readonly weight: number;
  /** Share of the profile. */
  readonly share: Fraction;
  /** Times that the stacks were seen; undefined where the profile does not count that. */
  readonly count: number | undefined;
  #callers: readonly Caller[] | undefined;

  constructor(view: WeightedStacks, stacks: readonly number[], matchedAt: readonly number[]) {
    this.view = view;
    this.stacks = stacks;
    this.matchedAt = matchedAt;
    this.weight = stacks.reduce((sum, stack) => sum + view.weights[stack]!, 0);
    this.share = view.shareOf(this.weight);
    const { counts } = view;
    this.count = counts && stacks.reduce((sum, stack) => sum + counts[stack]!, 0);
  }

  /** The application functions nearest above the matching frames, the one that causes most first. */
  get callers(): readonly Caller[] {
    this.#callers ??= this.#findCallers();
    return this.#callers;
  }

  /** The stacks that in addition pass through a function that matches. */
  and(match: Match): Selection {
    return this.#filter(match, true);
  }

  /** The stacks that do not pass through a function that matches. */
  without(match: Match): Selection {
    return this.#filter(match, false);
  }

  /**
   * The same stacks, matched at the first application frame above that does not match: who calls functions that are
   * themselves application code. Stacks without such a frame stay as they are.
   */
  above(match: Match): Selection {
    const { view } = this;
    const { stacks, isApplication } = view.index;
    const flags = view.index.flagsOf(match);
    const matchedAt = this.stacks.map((stack, i) => {
      const end = stacks.start[stack + 1]!;
      for (let at = this.matchedAt[i]!; at < end; at++) {
        const fn = view.functionAt(at);
        if (isApplication[fn] === 1 && flags[fn] === 0) return at;
      }
      return this.matchedAt[i]!;
    });
    return new Selection(view, this.stacks, matchedAt);
  }

  /** The part that has some stacks only. */
  within(wanted: ReadonlySet<number>): Selection {
    return this.#pick(this.stacks.flatMap((stack, i) => (wanted.has(stack) ? [i] : [])));
  }

  /** The part of the value that is in some stacks. */
  shareWithin(wanted: ReadonlySet<number>): Fraction {
    return this.weight > 0 ? this.within(wanted).weight / this.weight : 0;
  }

  /** The part that a caller causes. */
  of(caller: Caller): Selection {
    const kept = this.stacks.flatMap((_, i) => {
      const at = this.callerAt(i);
      return at >= 0 && this.view.functionAt(at) === caller.fn ? [i] : [];
    });
    return this.#pick(kept);
  }

  /** The part of the callers that match. */
  ofCallers(match: Match): Selection {
    const { view } = this;
    const flags = view.index.flagsOf(match);
    const kept = this.stacks.flatMap((_, i) => {
      const at = this.callerAt(i);
      return at >= 0 && flags[view.functionAt(at)] === 1 ? [i] : [];
    });
    return this.#pick(kept);
  }

  /** The callers as evidence, then the function that mostly calls the first, then the matching function with the most below it. */
  get evidence(): FindingFunction[] {
    const { view } = this;
    const callers = this.callers
      .slice(0, callersMax)
      .filter(({ weight }, i) => i === 0 || weight >= this.weight * callerShareMin);
    const names = new Set(callers.map(({ fn }) => fn));
    const frames = callers.map(({ frame }) => frame);
    const [first] = callers;
    const own = first === undefined ? this : this.of(first);
    const above = first === undefined ? undefined : own.#parents()[0];
    if (
      first !== undefined &&
      above !== undefined &&
      above.weight >= first.weight / 2 &&
      !names.has(above.fn)
    ) {
      names.add(above.fn);
      frames.push(above.frame);
    }
    const matched = own.matched.find(({ fn }) => !names.has(fn));
    if (matched !== undefined) frames.push(matched.frame);
    return frames.map((frame) => view.evidenceOf(frame));
  }

  /** Function names of the heaviest stack, root to leaf. */
  get path(): string[] {
    const { weights } = this.view;
    const first = this.callers[0];
    const candidates = first === undefined ? this.stacks : this.of(first).stacks;
    let heaviest = candidates[0];
    if (heaviest === undefined) return [];
    for (const stack of candidates) if (weights[stack]! > weights[heaviest]!) heaviest = stack;
    return this.view.pathOf(heaviest);
  }

  #filter(match: Match, wanted: boolean): Selection {
    const { index } = this.view;
    const flags = index.flagsOf(match);
    const { start } = index.stacks;
    const has = (stack: number) => {
      for (let at = start[stack]!; at < start[stack + 1]!; at++)
        if (flags[this.view.functionAt(at)] === 1) return true;
      return false;
    };
    return this.#pick(this.stacks.flatMap((stack, i) => (has(stack) === wanted ? [i] : [])));
  }

  #pick(kept: readonly number[]): Selection {
    return new Selection(
      this.view,
      kept.map((i) => this.stacks[i]!),
      kept.map((i) => this.matchedAt[i]!),
    );
  }

  /**
   * The entry of `stacks.frame` with the application frame nearest above the matching one of the i-th selected stack, or the
   * matching one itself if it is application code; -1 if there is none.
   */
  callerAt(i: number): number {
    const { isApplication, stacks } = this.view.index;
    const end = stacks.start[this.stacks[i]! + 1]!;
    for (let at = this.matchedAt[i]!; at < end; at++) {
      if (isApplication[this.view.functionAt(at)] === 1) return at;
    }
    return -1;
  }

  #findCallers(): readonly Caller[] {
    return this.#byFunction((i) => this.callerAt(i));
  }

  /** The application functions above the callers. */
  #parents(): readonly Caller[] {
    const { index } = this.view;
    return this.#byFunction((i) => {
      const caller = this.callerAt(i);
      if (caller < 0) return -1;
      const end = index.stacks.start[this.stacks[i]! + 1]!;
      for (let at = caller + 1; at < end; at++) {
        const fn = this.view.functionAt(at);
        if (index.isApplication[fn] === 1 && fn !== this.view.functionAt(caller)) return at;
      }
      return -1;
    });
  }

  /** The functions that made the stacks match, the one with most first. */
  get matched(): readonly Caller[] {
    return this.#byFunction((i) => this.matchedAt[i]!);
  }

  /** Sums the selection by the function at an entry of each stack; -1 leaves the stack out. */
  #byFunction(entryOf: (i: number) => number): readonly Caller[] {
    const { view } = this;
    const sums = new Map<number, { weight: number; frames: Map<number, number> }>();
    this.stacks.forEach((stack, i) => {
      const at = entryOf(i);
      if (at < 0) return;
      const fn = view.functionAt(at);
      const frame = view.index.stacks.frame[at]!;
      const sum = sums.get(fn) ?? { weight: 0, frames: new Map() };
      const weight = view.weights[stack]!;
      sum.weight += weight;
      sum.frames.set(frame, (sum.frames.get(frame) ?? 0) + weight);
      sums.set(fn, sum);
    });
    return [...sums]
      .map(([fn, { weight, frames }]) => ({
        fn,
        name: view.index.names[fn]!,
        ref: view.index.refOf(fn),
        frame: [...frames].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0],
        weight,
        share: view.shareOf(weight),
      }))
      .sort((a, b) => b.weight - a.weight);
  }
}
